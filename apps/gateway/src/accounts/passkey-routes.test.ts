import { expect, test } from 'vitest'
import { z } from 'zod'
import { canUsePasskeys } from './passkeys.ts'
import { ada, bob, siteUrl, startAccounts } from './test-accounts.ts'
import type { TestAccounts, TestBrowser } from './test-accounts.ts'
import { createTestAuthenticator } from './test-authenticator.ts'
import type { AuthenticatorBehaviour, TestAuthenticator } from './test-authenticator.ts'

const minuteMs = 60_000
const path = '/auth/account/passkeys'
const passkeySchema = z.looseObject({ id: z.string() })

const newAuthenticator = () => createTestAuthenticator({ origin: siteUrl, isUserVerified: true })

async function register(
  browser: TestBrowser,
  authenticator: TestAuthenticator,
  changes: Partial<AuthenticatorBehaviour> = {},
) {
  const { body } = await browser.call('POST', `${path}/options`)
  return browser.call('POST', path, { name: 'Laptop', response: authenticator.create(body, changes) })
}

async function answer(
  browser: TestBrowser,
  authenticator: TestAuthenticator,
  url = '/auth/log-in/passkey',
  changes: Partial<AuthenticatorBehaviour> = {},
) {
  const { body } = await browser.call('POST', '/auth/passkeys/options')
  return browser.call('POST', url, { response: authenticator.get(body, changes) })
}

async function withPasskey(at: TestAccounts) {
  const home = at.openBrowser()
  const authenticator = newAuthenticator()
  await home.call('POST', '/auth/sign-up', ada)
  const { body } = await register(home, authenticator)
  return { home, authenticator, id: passkeySchema.parse(body).id }
}

test('a passkey is registered with a name, shown, used to log in, and removed', async () => {
  const at = await startAccounts()
  const { home, authenticator, id } = await withPasskey(at)
  const shown = { id, name: 'Laptop', is_synced: false, last_used_at: null }
  expect(await home.call('GET', '/auth/account')).toMatchObject({ body: { passkeys: [shown] } })

  const { call } = at.openBrowser()
  const options = await call('POST', '/auth/passkeys/options')
  expect(options.body).toMatchObject({ rpId: 'flamegate.example', userVerification: 'required' })
  expect(options.body).not.toHaveProperty('allowCredentials.0')
  expect(
    await call('POST', '/auth/log-in/passkey', { response: authenticator.get(options.body) }),
  ).toMatchObject({
    status: 200,
    body: { user: { email: ada.email } },
  })
  expect((await call('GET', '/auth/session')).status).toBe(200)
  expect(await at.identity.accounts.passkeys.find(id)).toMatchObject({
    counter: 2,
    isBackupEligible: true,
    isBackedUp: false,
    transports: ['internal'],
    lastUsedAt: expect.any(Date),
  })

  expect((await call('DELETE', `${path}/${id}`)).status).toBe(204)
  expect((await call('DELETE', `${path}/${id}`)).status).toBe(404)
  expect(at.mails.slice(-2).map(({ text }) => text.split('\n')[0])).toEqual([
    'A passkey was added to your Flamegate account.',
    'A passkey was removed from your Flamegate account.',
  ])
  expect((await answer(at.openBrowser(), authenticator)).status).toBe(401)
})

test('the options ask for a passkey that is kept on the device and verifies its person', async () => {
  const at = await startAccounts()
  const { home, id } = await withPasskey(at)
  expect((await home.call('POST', `${path}/options`)).body).toMatchObject({
    rp: { id: 'flamegate.example', name: 'Flamegate' },
    user: { name: ada.email, displayName: ada.name },
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    excludeCredentials: [{ id }],
  })
})

test('a passkey needs no one-time code after it', async () => {
  const at = await startAccounts()
  const { authenticator } = await withPasskey(at)
  const userId = (await at.identity.findUserByEmail(ada.email))?.id ?? ''
  await at.identity.accounts.totp.begin(userId, 'sealed')
  await at.identity.accounts.totp.confirm(userId, [])
  expect(await answer(at.openBrowser(), authenticator)).toMatchObject({
    status: 200,
    body: { user: { email: ada.email } },
  })
})

test('a challenge is good once, in the browser that got it, for ten minutes', async () => {
  const at = await startAccounts()
  const { authenticator } = await withPasskey(at)
  const { call } = at.openBrowser()
  const { body: options } = await call('POST', '/auth/passkeys/options')
  const answerTo = async (browser: Pick<TestBrowser, 'call'>, asked: unknown = options) =>
    (await browser.call('POST', '/auth/log-in/passkey', { response: authenticator.get(asked) })).status
  const other = at.openBrowser()
  expect(await answerTo(other)).toBe(404)
  // With a challenge of its own, but the answer to this one.
  await other.call('POST', '/auth/passkeys/options')
  expect(await answerTo(other)).toBe(401)
  expect(await answerTo({ call })).toBe(200)
  expect(await answerTo({ call })).toBe(404)
  const { body: again } = await call('POST', '/auth/passkeys/options')
  at.pass(10 * minuteMs)
  expect(await answerTo({ call }, again)).toBe(404)
})

test.each<[string, Partial<AuthenticatorBehaviour>]>([
  ['a page elsewhere', { origin: 'https://flamegate.example.evil.example' }],
  ['a device that did not verify its person', { isUserVerified: false }],
])('the answer of %s proves nothing', async (_whose, changes) => {
  const at = await startAccounts()
  const { home, authenticator } = await withPasskey(at)
  expect((await answer(at.openBrowser(), authenticator, undefined, changes)).status).toBe(401)
  expect((await register(home, newAuthenticator(), changes)).status).toBe(400)
  expect((await answer(at.openBrowser(), authenticator)).status).toBe(200)
})

test('a copy of a passkey, whose counter stayed behind, proves nothing', async () => {
  const at = await startAccounts()
  const { authenticator } = await withPasskey(at)
  expect((await answer(at.openBrowser(), authenticator)).status).toBe(200)
  authenticator.setCounter(0)
  expect((await answer(at.openBrowser(), authenticator)).status).toBe(401)
})

test('a passkey that nobody registered proves nothing', async () => {
  const at = await startAccounts()
  await withPasskey(at)
  expect((await answer(at.openBrowser(), newAuthenticator())).status).toBe(401)
})

test('the same passkey is not registered twice, not even by somebody else', async () => {
  const at = await startAccounts()
  const { home, authenticator } = await withPasskey(at)
  expect((await register(home, authenticator)).status).toBe(409)
  const other = at.openBrowser()
  await other.call('POST', '/auth/sign-up', bob)
  expect((await register(other, authenticator)).status).toBe(409)
})

test('a registration is taken by the person who began it only', async () => {
  const at = await startAccounts()
  const { call } = at.openBrowser()
  await call('POST', '/auth/sign-up', ada)
  const { body } = await call('POST', `${path}/options`)
  await call('POST', '/auth/sign-up', bob)
  const response = newAuthenticator().create(body)
  expect((await call('POST', path, { name: 'Laptop', response })).status).toBe(404)
})

test('adding and removing passkeys want a fresh proof, and a passkey gives it', async () => {
  const at = await startAccounts()
  const { home, authenticator, id } = await withPasskey(at)
  at.pass(10 * minuteMs)
  const refused = { status: 403, body: { code: 'proof_needed' } }
  expect(await home.call('POST', `${path}/options`)).toMatchObject(refused)
  expect(await home.call('DELETE', `${path}/${id}`)).toMatchObject(refused)

  const other = at.openBrowser()
  await other.call('POST', '/auth/sign-up', bob)
  expect((await answer(other, authenticator, '/auth/prove/passkey')).status).toBe(401)
  expect((await answer(home, authenticator, '/auth/prove/passkey')).status).toBe(204)
  expect((await home.call('DELETE', `${path}/${id}`)).status).toBe(204)
})

test('nobody removes somebody else’s passkey', async () => {
  const at = await startAccounts()
  const { id, authenticator } = await withPasskey(at)
  const other = at.openBrowser()
  await other.call('POST', '/auth/sign-up', bob)
  expect((await other.call('DELETE', `${path}/${id}`)).status).toBe(404)
  expect((await answer(at.openBrowser(), authenticator)).status).toBe(200)
})

test('how a passkey is reached is said in words that can be stored', async () => {
  const at = await startAccounts()
  const { call } = at.openBrowser()
  await call('POST', '/auth/sign-up', ada)
  const { body } = await call('POST', `${path}/options`)
  const made = z.looseObject({ response: z.looseObject({}) }).parse(newAuthenticator().create(body))
  const response = { ...made, response: { ...made.response, transports: ['usb\0'] } }
  expect(await call('POST', path, { name: 'Laptop', response })).toMatchObject({
    status: 400,
    body: { errors: [{ field: 'response.response.transports.0' }] },
  })
})

test('what no browser would send is said field by field', async () => {
  const at = await startAccounts()
  const { call } = at.openBrowser()
  await call('POST', '/auth/passkeys/options')
  const response = { id: 'x', rawId: 'x', type: 'public-key', response: { clientDataJSON: '<' } }
  expect(await call('POST', '/auth/log-in/passkey', { response })).toMatchObject({
    status: 400,
    body: { code: 'invalid_input', errors: expect.arrayContaining([expect.any(Object)]) },
  })
})

test.each([
  ['https://flamegate.example', true],
  ['http://localhost:4170', true],
  ['http://127.0.0.1:4170', false],
  ['https://192.0.2.1', false],
  ['https://[2001:db8::1]', false],
  ['http://flamegate.example', false],
])('pages of %s may use passkeys: %s', async (url, isPossible) => {
  expect(canUsePasskeys(url)).toBe(isPossible)
})
