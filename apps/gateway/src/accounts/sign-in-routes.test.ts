import { Secret, TOTP } from 'otpauth'
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { oidcSignIn } from './elsewhere/oidc-sign-in.ts'
import { startTestIssuer } from './elsewhere/test-issuer.ts'
import type { TestIssuer } from './elsewhere/test-issuer.ts'
import { ada, bob, siteUrl, startAccounts, tokenIn } from './test-accounts.ts'
import type { TestAccounts, TestBrowser } from './test-accounts.ts'

const callback = `${siteUrl}/auth/sign-ins/oidc/callback`
const redirectSchema = z.object({ redirect_to: z.string() })

let issuer: TestIssuer
afterEach(() => issuer.close())

async function setUp(options: { mailsArrive?: boolean } = {}): Promise<TestAccounts> {
  issuer = await startTestIssuer(callback)
  issuer.account = { sub: 'ada-there', email: 'Ada@example.com', email_verified: true, name: 'Ada There' }
  const { clientId, clientSecret } = issuer
  const work = oidcSignIn({ id: 'oidc', name: 'Work', issuer: issuer.issuer, clientId, clientSecret })
  return startAccounts({ ...options, signIns: [work] })
}

/** Presses the button and logs in at the issuer; gives the address at which the browser comes back. */
async function goThere({ call }: TestBrowser, goOn = {}, path = '/auth/sign-ins/oidc'): Promise<string> {
  const answer = await call('POST', path, goOn)
  const { pathname, search } = await issuer.visit(redirectSchema.parse(answer.body).redirect_to)
  return pathname + search
}

async function signIn(browser: TestBrowser, goOn = {}, path?: string) {
  const { status, location } = await browser.call('GET', await goThere(browser, goOn, path))
  expect(status).toBe(303)
  return location
}

const link = (browser: TestBrowser) => signIn(browser, {}, '/auth/account/sign-ins/oidc')

const sessionSchema = z.object({
  user: z.object({ id: z.string(), email: z.string(), name: z.string() }).optional(),
})
const whoIs = async ({ call }: TestBrowser) => sessionSchema.parse((await call('GET', '/auth/session')).body)

test('the log-in page is told which services there are', async () => {
  const at = await setUp()
  expect(await at.openBrowser().call('GET', '/auth/ways')).toMatchObject({
    body: { passkeys: true, sign_ins: [{ id: 'oidc', name: 'Work' }] },
  })
  expect((await at.openBrowser().call('POST', '/auth/sign-ins/github', {})).status).toBe(404)
})

test('somebody new gets an account and a workspace, and is the same person the next time', async () => {
  const at = await setUp({ mailsArrive: true })
  const first = at.openBrowser()
  expect(await signIn(first)).toBe('/')
  const { user } = await whoIs(first)
  expect(user).toMatchObject({ email: 'ada@example.com', name: 'Ada There' })
  // Whatever the issuer says of the address later, the person is known by what never changes.
  issuer.account = { sub: 'ada-there', email: 'ada@new.example', email_verified: false }
  const second = at.openBrowser()
  expect(await signIn(second)).toBe('/')
  expect((await whoIs(second)).user?.id).toBe(user?.id)
  expect(at.mails).toEqual([])
})

test('who only asks for the headers of the callback is not let in, which nobody would record', async () => {
  const at = await setUp()
  const browser = at.openBrowser()
  const back = await goThere(browser)
  const { cookies } = await browser.call('HEAD', back)
  expect([cookies, await whoIs(browser)]).toEqual([[], {}])
  expect((await browser.call('GET', back)).location).toBe('/')
})

test('it goes on where the person wanted to, on this site only', async () => {
  const at = await setUp()
  expect(await signIn(at.openBrowser(), { interaction: 'abc-1' })).toBe('/oauth/interaction/abc-1')
  expect(await signIn(at.openBrowser(), { return_to: '/runs/run_1?x=1' })).toBe('/runs/run_1?x=1')
  const { call } = at.openBrowser()
  for (const return_to of ['https://evil.example', '//evil.example', '/\\evil.example', '/\tx', 'runs'])
    expect((await call('POST', '/auth/sign-ins/oidc', { return_to })).status).toBe(400)
  expect((await call('POST', '/auth/sign-ins/oidc', { interaction: '../x' })).status).toBe(400)
})

test('an account here is joined when both sides have seen that the address is the person’s', async () => {
  const at = await setUp()
  const home = at.openBrowser()
  await home.call('POST', '/auth/sign-up', ada)
  await home.call('POST', '/auth/verify-email', { token: tokenIn(at.mails[0]) })
  const browser = at.openBrowser()
  expect(await signIn(browser)).toBe('/')
  expect((await whoIs(browser)).user).toEqual((await whoIs(home)).user)
  expect(await home.call('GET', '/auth/account')).toMatchObject({
    body: { sign_ins: [{ id: 'oidc', name: 'Work', linked: { email: 'ada@example.com' } }] },
  })
})

test('an account here whose address was never confirmed is not joined', async () => {
  const at = await setUp()
  await at.openBrowser().call('POST', '/auth/sign-up', ada)
  const browser = at.openBrowser()
  expect(await signIn(browser, { return_to: '/x' })).toBe('/log-in?refused=account_exists&return_to=%2Fx')
  expect(await whoIs(browser)).not.toHaveProperty('user')
})

test.each([
  { email_verified: false },
  { email: undefined, email_verified: true },
  { email_verified: undefined },
])('an address that the issuer does not vouch for lets nobody in: %o', async (changes) => {
  const at = await setUp()
  const home = at.openBrowser()
  await home.call('POST', '/auth/sign-up', ada)
  await home.call('POST', '/auth/verify-email', { token: tokenIn(at.mails[0]) })
  issuer.account = { ...issuer.account, ...changes }
  expect(await signIn(at.openBrowser())).toBe('/log-in?refused=email_unconfirmed_there')
  issuer.account = { ...issuer.account, sub: 'bob-there', email: bob.email, email_verified: false }
  expect(await signIn(at.openBrowser())).toBe('/log-in?refused=email_unconfirmed_there')
})

test('a person who is logged in links whatever account they have there, and unlinks it', async () => {
  const at = await setUp()
  const home = at.openBrowser()
  await home.call('POST', '/auth/sign-up', bob)
  issuer.account = { ...issuer.account, email_verified: false }
  expect(await link(home)).toBe('/settings/account')
  const browser = at.openBrowser()
  expect(await signIn(browser)).toBe('/')
  expect((await whoIs(browser)).user?.email).toBe(bob.email)

  expect(await link(home)).toBe('/settings/account?refused=linked_to_another')
  issuer.account = { ...issuer.account, sub: 'another' }
  expect(await link(home)).toBe('/settings/account?refused=linked_already')
  expect((await home.call('DELETE', '/auth/account/sign-ins/oidc')).status).toBe(204)
  expect((await home.call('DELETE', '/auth/account/sign-ins/oidc')).status).toBe(404)
  expect(at.mails.slice(-2)).toMatchObject([
    { to: bob.email, text: expect.stringContaining('was linked with') },
    { to: bob.email, text: expect.stringContaining('was unlinked from') },
  ])
  expect(await link(home)).toBe('/settings/account')
})

test('linking wants a fresh proof, and the person who began it', async () => {
  const at = await setUp()
  const home = at.openBrowser()
  await home.call('POST', '/auth/sign-up', bob)
  const back = await goThere(home, {}, '/auth/account/sign-ins/oidc')
  await home.call('POST', '/auth/sign-up', ada)
  expect(await home.call('GET', back)).toMatchObject({ location: '/settings/account?refused=failed' })
  at.pass(600_000)
  expect(await home.call('POST', '/auth/account/sign-ins/oidc', {})).toMatchObject({
    status: 403,
    body: { code: 'proof_needed' },
  })
})

test('the only way to log in is not taken away', async () => {
  const at = await setUp()
  const browser = at.openBrowser()
  await signIn(browser)
  expect((await browser.call('DELETE', '/auth/account/sign-ins/oidc')).status).toBe(409)
  expect(await browser.call('GET', '/auth/account')).toMatchObject({ body: { has_password: false } })
  const change = { new_password: 'another horse' }
  expect((await browser.call('POST', '/auth/account/password', change)).status).toBe(204)
  expect((await browser.call('DELETE', '/auth/account/sign-ins/oidc')).status).toBe(204)
  const logIn = { email: ada.email, password: change.new_password }
  expect((await at.openBrowser().call('POST', '/auth/log-in', logIn)).status).toBe(200)
})

test('one-time codes are asked for after logging in elsewhere too', async () => {
  const at = await setUp()
  await signIn(at.openBrowser())
  const userId = (await at.identity.findUserByEmail(ada.email))?.id ?? ''
  await at.identity.accounts.totp.begin(userId, 'sealed')
  await at.identity.accounts.totp.confirm(userId, [])
  const browser = at.openBrowser()
  expect(await signIn(browser, { interaction: 'abc' })).toBe('/log-in?step=code&interaction=abc')
  expect(await whoIs(browser)).not.toHaveProperty('user')
})

test('an account with one-time codes is joined only after a code', async () => {
  const at = await setUp()
  const home = at.openBrowser()
  await home.call('POST', '/auth/sign-up', ada)
  await home.call('POST', '/auth/verify-email', { token: tokenIn(at.mails[0]) })
  const path = '/auth/account/one-time-codes'
  const { secret } = z.object({ secret: z.string() }).parse((await home.call('POST', path)).body)
  const showCode = () => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at.now() })
  await home.call('POST', `${path}/confirm`, { code: showCode() })
  at.pass(60_000)
  const links = async () => {
    const user = await at.identity.findUserByEmail(ada.email)
    return at.identity.accounts.linkedSignIns.list(user?.id ?? '')
  }
  const browser = at.openBrowser()
  expect(await signIn(browser)).toBe('/log-in?step=code')
  expect((await browser.call('POST', '/auth/log-in/code', { code: '000000' })).status).toBe(400)
  expect(await links()).toEqual([])
  expect((await browser.call('POST', '/auth/log-in/code', { code: showCode() })).status).toBe(200)
  expect(await links()).toMatchObject([{ subject: 'ada-there', email: 'ada@example.com' }])
  expect(at.mails.at(-1)).toMatchObject({ to: ada.email, text: expect.stringContaining('was linked with') })
  const events = at.identity.securityEvents.map(({ action, outcome }) => `${action} ${outcome}`)
  expect(events.slice(-3)).toEqual(['log_in wrong_code', 'log_in ok', 'link_sign_in ok'])
})

test('linking is not finished by somebody who finds the screen open later', async () => {
  const at = await setUp()
  const home = at.openBrowser()
  await home.call('POST', '/auth/sign-up', bob)
  at.pass(599_000)
  const back = await goThere(home, {}, '/auth/account/sign-ins/oidc')
  at.pass(1000)
  expect(await home.call('GET', back)).toMatchObject({ location: '/settings/account?refused=proof_needed' })
})

test('an answer counts in the browser that asked for it, once', async () => {
  const at = await setUp()
  const browser = at.openBrowser()
  const back = await goThere(browser)
  const stranger = at.openBrowser()
  expect(await stranger.call('GET', back)).toMatchObject({ location: '/log-in?refused=failed' })
  // In the middle of something of their own, a stranger's answer does not fit either.
  await goThere(stranger)
  expect(await stranger.call('GET', back)).toMatchObject({ location: '/log-in?refused=failed' })
  expect(await whoIs(stranger)).not.toHaveProperty('user')
  const first = await browser.call('GET', back)
  expect(first.location).toBe('/')
  expect(await browser.call('GET', back)).toMatchObject({ location: '/log-in?refused=failed' })
})

test.each([
  ['another state', (url: URL) => url.searchParams.set('state', 'forged')],
  ['another code', (url: URL) => url.searchParams.set('code', 'forged')],
  ['another issuer', (url: URL) => url.searchParams.set('iss', 'https://evil.example')],
  ['a refusal', (url: URL) => (url.search = `?error=access_denied&state=${url.searchParams.get('state')}`)],
])('an answer with %s lets nobody in', async (_what, forge) => {
  const at = await setUp()
  const browser = at.openBrowser()
  const url = new URL(await goThere(browser), siteUrl)
  forge(url)
  expect(await browser.call('GET', url.pathname + url.search)).toMatchObject({
    status: 303,
    location: '/log-in?refused=failed',
  })
  expect(await whoIs(browser)).not.toHaveProperty('user')
})

test('an issuer that is away is said so, and asked again the next time', async () => {
  const at = await setUp()
  const { clientId, clientSecret } = issuer
  const away = { issuer: 'http://127.0.0.1:9', clientId, clientSecret }
  const { openBrowser } = await startAccounts({
    signIns: [oidcSignIn({ id: 'oidc', name: 'Work', ...away })],
  })
  expect(await openBrowser().call('POST', '/auth/sign-ins/oidc', {})).toMatchObject({
    status: 503,
    body: { code: 'unavailable' },
  })
  expect(await signIn(at.openBrowser())).toBe('/')
})
