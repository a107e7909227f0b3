import { randomBytes } from 'node:crypto'
import type { Principal } from '@flamegate/contract'
import { expect, test } from 'vitest'
import { createCallerAssertions } from './assertion.ts'
import { createMemoryIdentity } from './testing/memory-identity.ts'

const principal: Principal = {
  userId: 'usr_1',
  via: 'oauth',
  clientId: 'client-1',
  clientName: 'An agent',
  scopes: ['read', 'run'],
  workspaceIds: ['ws_1'],
  grantId: 'grant-1',
}

function clock(startMs = 1_800_000_000_000) {
  let nowMs = startMs
  return { now: () => nowMs, pass: (ms: number) => (nowMs += ms) }
}

test('what one process signs, another one with the same storage reads', async () => {
  const identity = createMemoryIdentity()
  const gateway = await createCallerAssertions(identity)
  const api = await createCallerAssertions(identity)
  expect(await api.verify(await gateway.sign(principal))).toEqual(principal)
})

test('an assertion is used again for half a minute and accepted for a minute', async () => {
  const time = clock()
  const assertions = await createCallerAssertions(createMemoryIdentity(), time.now)
  const first = await assertions.sign(principal)
  time.pass(29_000)
  expect(await assertions.sign(principal)).toBe(first)
  time.pass(2_000)
  expect(await assertions.sign(principal)).not.toBe(first)
  expect(await assertions.verify(first)).toEqual(principal)
  time.pass(30_000)
  expect(await assertions.verify(first)).toBeUndefined()
})

test('another key, another algorithm and a changed payload are refused', async () => {
  const assertions = await createCallerAssertions(createMemoryIdentity())
  const strangers = await createCallerAssertions(createMemoryIdentity())
  const genuine = await assertions.sign(principal)
  const [, payload = '', signature = ''] = genuine.split('.')
  const none = Buffer.from('{"alg":"none"}').toString('base64url')
  const changed = Buffer.from(payload, 'base64url').toString().replace('usr_1', 'usr_2')
  const forgeries = [
    await strangers.sign(principal),
    `${none}.${payload}.`,
    `${genuine.split('.')[0]}.${Buffer.from(changed).toString('base64url')}.${signature}`,
    'nonsense',
    '',
  ]
  const read = await Promise.all(forgeries.map((forgery) => assertions.verify(forgery)))
  expect(read.filter(Boolean)).toEqual([])
})

test('after a rotation the new key signs and the old one still verifies', async () => {
  const time = clock()
  const identity = createMemoryIdentity()
  const old = await createCallerAssertions(identity, time.now)
  const before = await old.sign(principal)
  const next = { kid: 'new', k: randomBytes(32).toString('base64url') }
  await identity.addKey('assertion', next, new Date(0))
  const restarted = await createCallerAssertions(identity, time.now)
  expect(await restarted.verify(before)).toEqual(principal)
  const after = await restarted.sign({ ...principal })
  expect(JSON.parse(Buffer.from(after.split('.')[0] ?? '', 'base64url').toString())).toMatchObject({
    kid: 'new',
  })
  // A process that has not heard of the new key looks again.
  time.pass(6_000)
  expect(await old.verify(after)).toEqual(principal)
})
