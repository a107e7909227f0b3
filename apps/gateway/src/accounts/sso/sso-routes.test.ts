import { createSealing } from '@flamegate/auth'
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { startTestIssuer } from '../elsewhere/test-issuer.ts'
import type { TestIssuer } from '../elsewhere/test-issuer.ts'
import { ada, bob, siteUrl, startAccounts, tokenIn } from '../test-accounts.ts'
import type { TestAccounts, TestBrowser } from '../test-accounts.ts'

const redirectSchema = z.object({ redirect_to: z.string() })
const sessionSchema = z.object({ user: z.object({ id: z.string(), email: z.string() }).optional() })
const callbackOf = (workspaceId: string) => `${siteUrl}/auth/sso/${workspaceId}/callback`

const issuers: TestIssuer[] = []
afterEach(async () => {
  await Promise.all(issuers.splice(0).map((each) => each.close()))
})

interface Options {
  mailsArrive?: boolean
  isRequired?: boolean
  targetsAllowed?: string[]
}

/** A workspace that proved example.com, and a provider of it at which Ada sits. */
async function setUp({ isRequired = false, targetsAllowed = ['127.0.0.1'], ...options }: Options = {}) {
  const at = await startAccounts({ ...options, targetsAllowed })
  const issuer = await addProvider(at, 'ws_acme', ['example.com'], isRequired)
  issuer.account = { sub: 'ada-there', email: 'Ada@example.com', email_verified: true, name: 'Ada There' }
  return { at, issuer }
}

async function addProvider(at: TestAccounts, workspaceId: string, domains: string[], isRequired = false) {
  const issuer = await startTestIssuer(callbackOf(workspaceId))
  issuers.push(issuer)
  const sealing = createSealing(at.identity)
  at.identity.sso.connections.push({
    workspaceId,
    slug: workspaceId.replace('ws_', ''),
    issuer: issuer.issuer,
    clientId: issuer.clientId,
    sealedClientSecret: await sealing.seal(issuer.clientSecret, { id: workspaceId, workspaceId }),
    defaultRole: 'viewer',
    domains,
    isRequired,
  })
  return issuer
}

async function goThere({ call }: TestBrowser, issuer: TestIssuer, how: object): Promise<string> {
  const answer = await call('POST', '/auth/sso', how)
  const { pathname, search } = await issuer.visit(redirectSchema.parse(answer.body).redirect_to)
  return pathname + search
}

const byAddress = { email: 'ada@example.com' }

async function signIn(browser: TestBrowser, issuer: TestIssuer, how: object = byAddress) {
  const { status, location } = await browser.call('GET', await goThere(browser, issuer, how))
  expect(status).toBe(303)
  return location
}

const whoIs = async ({ call }: TestBrowser) =>
  sessionSchema.parse((await call('GET', '/auth/session')).body).user

/** Somebody with a password, whose address is confirmed. */
async function signUp(at: TestAccounts, person: typeof ada) {
  const home = at.openBrowser()
  await home.call('POST', '/auth/sign-up', person)
  await home.call('POST', '/auth/verify-email', { token: tokenIn(at.mails.at(-1)) })
  const user = await at.identity.findUserByEmail(person.email)
  return { home, userId: user?.id ?? '' }
}

const roleOf = async (at: TestAccounts, userId: string) =>
  (await at.identity.listMemberships(userId)).find(({ workspaceId }) => workspaceId === 'ws_acme')?.role

test('an address leads to the provider of its domain, and so does the workspace’s short name', async () => {
  const { at, issuer } = await setUp()
  const { call } = at.openBrowser()
  const there = redirectSchema.parse((await call('POST', '/auth/sso', byAddress)).body).redirect_to
  expect(there.startsWith(`${issuer.issuer}/auth?`)).toBe(true)
  expect(new URL(there).searchParams.get('redirect_uri')).toBe(callbackOf('ws_acme'))
  expect((await call('POST', '/auth/sso', { workspace: 'acme' })).status).toBe(200)
  for (const nobody of [{ email: 'ada@other.example' }, { workspace: 'other' }])
    expect(await call('POST', '/auth/sso', nobody)).toMatchObject({
      status: 404,
      body: { code: 'sso_not_found' },
    })
  for (const unclear of [{}, { ...byAddress, workspace: 'acme' }, { email: 'ada' }])
    expect((await call('POST', '/auth/sso', unclear)).status).toBe(400)
})

test('somebody new becomes a member with the role that is set, and is the same person the next time', async () => {
  const { at, issuer } = await setUp({ mailsArrive: true })
  const first = at.openBrowser()
  expect(await signIn(first, issuer, { ...byAddress, return_to: '/projects' })).toBe('/projects')
  const user = await whoIs(first)
  expect(user).toMatchObject({ email: 'ada@example.com' })
  expect(await roleOf(at, user?.id ?? '')).toBe('viewer')
  // Married, and known by what never changes.
  issuer.account = { ...issuer.account, email: 'ada.king@example.com' }
  const second = at.openBrowser()
  expect(await signIn(second, issuer, { workspace: 'acme', interaction: 'abc-1' })).toBe(
    '/oauth/interaction/abc-1',
  )
  expect((await whoIs(second))?.id).toBe(user?.id)
  const events = at.identity.securityEvents.map(({ action, outcome, workspaceId }) => [
    action,
    outcome,
    workspaceId,
  ])
  expect(events).toEqual([
    ['log_in', 'ok', 'ws_acme'],
    ['join_workspace', 'ok', 'ws_acme'],
    ['log_in', 'ok', 'ws_acme'],
  ])
})

test('an account here is joined when its address was confirmed', async () => {
  const { at, issuer } = await setUp()
  const { userId } = await signUp(at, ada)
  const browser = at.openBrowser()
  expect(await signIn(browser, issuer)).toBe('/')
  expect((await whoIs(browser))?.id).toBe(userId)
})

test('an account with an address that nobody confirmed is joined only if it was invited', async () => {
  const { at, issuer } = await setUp()
  await at.openBrowser().call('POST', '/auth/sign-up', ada)
  const browser = at.openBrowser()
  expect(await signIn(browser, issuer)).toBe('/log-in?refused=sso_account_exists')
  expect(await whoIs(browser)).toBeUndefined()
  const stored = await at.identity.findUserByEmail(ada.email)
  const membership = { workspaceId: 'ws_acme', slug: 'acme', name: 'Acme', role: 'member' } as const
  at.identity.addMembership(stored?.id ?? '', membership)
  expect(await signIn(browser, issuer)).toBe('/')
  expect(await roleOf(at, stored?.id ?? '')).toBe('member')
})

test('a hostile provider says in vain that it saw somebody of another domain', async () => {
  const { at } = await setUp()
  const { userId } = await signUp(at, ada)
  const evil = await addProvider(at, 'ws_evil', ['evil.example'])
  const stolen = { sub: 'mallory', email: ada.email, email_verified: true }
  evil.account = stolen
  const browser = at.openBrowser()
  const how = { workspace: 'evil' }
  expect(await signIn(browser, evil, how)).toBe('/log-in?refused=sso_domain_not_proved')
  // With an account of its own first, which then claims to have another address.
  evil.account = { ...stolen, email: 'mallory@evil.example' }
  expect(await signIn(browser, evil, how)).toBe('/')
  expect((await whoIs(browser))?.id).not.toBe(userId)
  browser.forgetCookies()
  evil.account = stolen
  expect(await signIn(browser, evil, how)).toBe('/log-in?refused=sso_domain_not_proved')
  expect(await whoIs(browser)).toBeUndefined()
})

test('a provider has no say any more about who took their account to an address elsewhere', async () => {
  const { at, issuer } = await setUp()
  const browser = at.openBrowser()
  await signIn(browser, issuer)
  const user = await whoIs(browser)
  await at.identity.accounts.changeEmail(user?.id ?? '', 'ada@example.com', 'ada@home.example')
  expect(await signIn(at.openBrowser(), issuer)).toBe('/log-in?refused=sso_address_elsewhere')
})

test('who comes as somebody else of the same provider is not let into the account', async () => {
  const { at, issuer } = await setUp()
  await signIn(at.openBrowser(), issuer)
  // The address was given to a new colleague.
  issuer.account = { ...issuer.account, sub: 'another-ada' }
  const browser = at.openBrowser()
  expect(await signIn(browser, issuer)).toBe('/log-in?refused=sso_other_person')
  expect(await whoIs(browser)).toBeUndefined()
})

test.each([
  [{ email: undefined }, 'sso_no_email'],
  [{ email_verified: false }, 'sso_email_unverified'],
  [{ email_verified: undefined }, 'sso_email_unverified'],
  [{ email: 'ada@other.example' }, 'sso_domain_not_proved'],
])('%o lets nobody in', async (changes, refused) => {
  const { at, issuer } = await setUp()
  issuer.account = { ...issuer.account, ...changes }
  const browser = at.openBrowser()
  expect(await signIn(browser, issuer)).toBe(`/log-in?refused=${refused}`)
  expect(await whoIs(browser)).toBeUndefined()
  expect(at.identity.securityEvents).toEqual([
    expect.objectContaining({ action: 'log_in', outcome: refused, workspaceId: 'ws_acme', status: 403 }),
  ])
})

test('what was begun with one provider is not ended with another, nor in another browser', async () => {
  const { at, issuer } = await setUp()
  await addProvider(at, 'ws_other', ['other.example'])
  const browser = at.openBrowser()
  const back = await goThere(browser, issuer, byAddress)
  expect((await at.openBrowser().call('GET', back)).location).toBe('/log-in?refused=sso_failed')
  const elsewhere = back.replace('ws_acme', 'ws_other')
  expect((await browser.call('GET', elsewhere)).location).toBe('/log-in?refused=sso_failed')
  // The ticket is used up.
  expect((await browser.call('GET', back)).location).toBe('/log-in?refused=sso_failed')
  const again = await goThere(browser, issuer, byAddress)
  for (const connection of at.identity.sso.connections) connection.issuer = 'https://new.example'
  expect((await browser.call('GET', again)).location).toBe('/log-in?refused=sso_failed')
})

test('the provider’s faults are told apart', async () => {
  const { at, issuer } = await setUp()
  const [connection] = at.identity.sso.connections
  if (connection === undefined) throw new Error('There is one')
  const sealing = createSealing(at.identity)
  const browser = at.openBrowser()
  const detailOf = async () => (await browser.call('POST', '/auth/sso', byAddress)).body
  connection.issuer = issuer.issuer.replace('127.0.0.1', 'localhost')
  expect(await detailOf()).toMatchObject({ detail: expect.stringContaining('cannot be reached') })
  connection.issuer = `${issuer.issuer}/elsewhere`
  expect(await detailOf()).toMatchObject({ detail: expect.stringContaining('no OpenID configuration') })
  connection.issuer = issuer.issuer
  connection.sealedClientSecret = await sealing.seal('wrong-wrong-wrong', {
    id: 'ws_acme',
    workspaceId: 'ws_acme',
  })
  expect(await signIn(browser, issuer)).toBe('/log-in?refused=sso_wrong_client')
})

test('a provider within the network is asked only where the installation allows it', async () => {
  const { at } = await setUp({ targetsAllowed: [] })
  expect(await at.openBrowser().call('POST', '/auth/sso', byAddress)).toMatchObject({
    status: 503,
    body: { detail: expect.stringContaining('may not be called') },
  })
})

test('where it is required, nothing else lets members in, and sessions of before count no more', async () => {
  const { at, issuer } = await setUp()
  const { home, userId } = await signUp(at, ada)
  const membership = { workspaceId: 'ws_acme', slug: 'acme', name: 'Acme', role: 'member' } as const
  at.identity.addMembership(userId, membership)
  expect(await whoIs(home)).toMatchObject({ id: userId })
  for (const connection of at.identity.sso.connections) connection.isRequired = true
  expect(await whoIs(home)).toBeUndefined()
  const browser = at.openBrowser()
  const { email, password } = ada
  expect(await browser.call('POST', '/auth/log-in', { email, password })).toMatchObject({
    status: 403,
    body: { code: 'sso_required', detail: expect.stringContaining(`${siteUrl}/sign-in/sso/acme`) },
  })
  expect(await whoIs(browser)).toBeUndefined()
  expect(await signIn(browser, issuer)).toBe('/')
  expect(await whoIs(browser)).toMatchObject({ id: userId })
  // Guests with an address elsewhere log in as before.
  const guest = await signUp(at, { ...bob, email: 'bob@other.example' })
  at.identity.addMembership(guest.userId, membership)
  expect(await whoIs(guest.home)).toMatchObject({ id: guest.userId })
})
