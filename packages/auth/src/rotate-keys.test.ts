import { expect, test } from 'vitest'
import { createCallerAssertions } from './assertion.ts'
import { loadCookieKeys } from './cookie-keys.ts'
import { rotateKeys } from './rotate-keys.ts'
import { loadSigningKeys } from './signing-keys.ts'
import { createMemoryIdentity } from './testing/memory-identity.ts'

const hourMs = 3_600_000

/** A new object each time: what was signed for one is used again. */
const principal = () => ({
  userId: 'usr_ada',
  via: 'oauth' as const,
  clientId: 'client',
  clientName: 'Client',
  scopes: ['read' as const],
})

test('a new key of every kind is known at once and used from its time on', async () => {
  let nowMs = 0
  const identity = createMemoryIdentity(() => nowMs)
  const load = async () => {
    const [signing, cookies] = [await loadSigningKeys(identity), await loadCookieKeys(identity)]
    return { signing: signing.map(({ kid }) => kid), cookies }
  }
  const before = await load()
  await rotateKeys(identity, new Date(hourMs))
  const meanwhile = await load()
  expect([meanwhile.signing.length, meanwhile.cookies.length]).toEqual([2, 2])
  expect([meanwhile.signing[0], meanwhile.cookies[0]]).toEqual([before.signing[0], before.cookies[0]])
  nowMs = hourMs
  expect(await load()).toEqual({
    signing: meanwhile.signing.toReversed(),
    cookies: meanwhile.cookies.toReversed(),
  })
})

test('before anything was signed, a rotation leaves a key to use', async () => {
  const identity = createMemoryIdentity(() => 0)
  await rotateKeys(identity, new Date(hourMs))
  expect(await loadSigningKeys(identity)).toHaveLength(2)
})

test('processes that were started before and after a rotation believe each other', async () => {
  let nowMs = 0
  const now = () => nowMs
  const identity = createMemoryIdentity(now)
  await rotateKeys(identity, new Date(hourMs))
  const old = await createCallerAssertions(identity, now)
  nowMs = hourMs
  const next = await createCallerAssertions(identity, now)
  expect(await next.verify(await old.sign(principal()))).toEqual(principal())
  expect(await old.verify(await next.sign(principal()))).toEqual(principal())
})
