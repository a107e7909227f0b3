import { hashSecret } from '@flamegate/auth'
import { expect, test } from 'vitest'
import { ada as person, startAccounts } from './test-accounts.ts'

const ada = { ...person, email: 'Ada@Example.com' }
const dayMs = 86_400_000

async function setUp() {
  const minute = { attempts: 5, firstWaitMs: 60_000, longestWaitMs: 60_000 }
  const limits = { signUp: minute, logIn: { ...minute, attempts: 20 }, passwordsPerPlace: minute }
  const { identity, openBrowser, pass } = await startAccounts({ limits })
  const { call: ask, forgetCookies } = openBrowser()
  async function call(...request: Parameters<typeof ask>) {
    const { status, body, cookies } = await ask(...request)
    return { status, body, setCookie: cookies.findLast((line) => line.includes('fg_session=')) }
  }
  return { identity, call, pass, forgetCookie: forgetCookies, openBrowser }
}

test('signing up makes a person with a workspace and logs them in', async () => {
  const { call } = await setUp()
  const answer = await call('POST', '/auth/sign-up', ada)
  const user = { id: expect.stringMatching(/^usr_/), email: 'ada@example.com', name: 'Ada Lovelace' }
  expect(answer).toMatchObject({
    status: 201,
    body: { user, expires_at: '2026-12-20T00:00:00.000Z', joined_workspace_id: null },
  })
  expect(await call('GET', '/auth/session')).toMatchObject({ status: 200, body: { user } })
})

test('the cookie cannot be read by scripts, sent by other sites or set from elsewhere', async () => {
  const { call } = await setUp()
  const { setCookie } = await call('POST', '/auth/sign-up', ada)
  expect(setCookie).toMatch(
    /^__Host-fg_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=2592000$/,
  )
})

test('an e-mail address that is taken is named', async () => {
  const { call } = await setUp()
  await call('POST', '/auth/sign-up', ada)
  expect(await call('POST', '/auth/sign-up', { ...ada, email: 'ADA@example.com' })).toMatchObject({
    status: 409,
    body: { code: 'conflict', errors: [{ field: 'email' }] },
  })
})

test('what is wrong in a form is said field by field', async () => {
  const { call } = await setUp()
  const answer = await call('POST', '/auth/sign-up', {
    name: ' ',
    email: 'ada',
    password: 'short',
    admin: true,
  })
  const errors = ['name', 'email', 'password'].map((field) => expect.objectContaining({ field }))
  expect(answer).toMatchObject({
    status: 400,
    body: { code: 'invalid_input', errors: expect.arrayContaining(errors) },
  })
})

test('an invitation makes a member of whoever it was for', async () => {
  const { identity, call, forgetCookie } = await setUp()
  const invitation = { email: 'ada@example.com', workspaceId: 'ws_1', role: 'member' as const }
  identity.addInvitation(hashSecret('secret'), invitation)
  const bob = { ...ada, email: 'bob@example.com', invitation: 'secret' }
  expect(await call('POST', '/auth/sign-up', bob)).toMatchObject({ body: { joined_workspace_id: null } })
  forgetCookie()
  expect(await call('POST', '/auth/sign-up', { ...ada, invitation: 'secret' })).toMatchObject({
    body: { joined_workspace_id: 'ws_1' },
  })
})

test('logging out ends the session, logging in starts another one', async () => {
  const { identity, call } = await setUp()
  const { setCookie = '' } = await call('POST', '/auth/sign-up', ada)
  expect(await call('POST', '/auth/log-out')).toMatchObject({ status: 204 })
  expect(await call('GET', '/auth/session')).toMatchObject({ status: 401 })
  const secret = /=([\w-]+);/.exec(setCookie)?.[1] ?? ''
  expect(await identity.findSession(hashSecret(secret))).toBeUndefined()
  expect(await call('POST', '/auth/log-in', { email: ada.email, password: ada.password })).toMatchObject({
    status: 200,
    body: { user: { email: 'ada@example.com' } },
  })
})

test('logging in ends the session that was there before', async () => {
  const { identity, call } = await setUp()
  const { setCookie = '' } = await call('POST', '/auth/sign-up', ada)
  await call('POST', '/auth/log-in', { email: ada.email, password: ada.password })
  const secret = /=([\w-]+);/.exec(setCookie)?.[1] ?? ''
  expect(await identity.findSession(hashSecret(secret))).toBeUndefined()
})

test('a wrong password and an unknown person get the same answer', async () => {
  const { call } = await setUp()
  await call('POST', '/auth/sign-up', ada)
  const wrong = await call('POST', '/auth/log-in', { email: ada.email, password: 'wrong horse' })
  const unknown = await call('POST', '/auth/log-in', { email: 'nobody@example.com', password: 'wrong horse' })
  expect(wrong).toMatchObject({ status: 401, body: { code: 'unauthenticated' } })
  expect(unknown).toEqual(wrong)
})

test('guessing is slowed down per person and address, and a success starts anew', async () => {
  const { call } = await setUp()
  await call('POST', '/auth/sign-up', ada)
  const guess = (password: string) => call('POST', '/auth/log-in', { email: ada.email, password })
  const first = await Promise.all(['a', 'b', 'c', 'd'].map(guess))
  expect(first.map(({ status }) => status)).toEqual([401, 401, 401, 401])
  expect(await guess(ada.password)).toMatchObject({ status: 200 })
  const second = await Promise.all(['a', 'b', 'c', 'd', 'e', ada.password].map(guess))
  expect(second.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 429])
  expect(second.at(-1)?.body).toMatchObject({ retry_after_seconds: expect.any(Number) })
})

test('many people at one address log in all day long', async () => {
  const { openBrowser, pass } = await startAccounts()
  const { call } = openBrowser()
  const statuses = new Set<number>()
  for (let count = 0; count < 150; count++) {
    pass(60_000)
    statuses.add((await call('POST', '/auth/passkeys/options')).status)
  }
  expect([...statuses]).toEqual([200])
})

test('a stranger who guesses at somebody’s password locks out nobody but the stranger', async () => {
  const { call, openBrowser } = await setUp()
  await call('POST', '/auth/sign-up', ada)
  const logIn = { email: ada.email, password: ada.password }
  const stranger = openBrowser('2001:db8:1:2::1')
  for (let guess = 0; guess < 6; guess++)
    await stranger.call('POST', '/auth/log-in', { ...logIn, password: 'guess' })
  // Another address of the same network is the same stranger.
  expect(await openBrowser('2001:db8:1:2:ffff::9').call('POST', '/auth/log-in', logIn)).toMatchObject({
    status: 429,
  })
  expect(await call('POST', '/auth/log-in', logIn)).toMatchObject({ status: 200 })
})

test.each([{ origin: 'https://evil.example' }, { origin: 'null' }, { origin: '' }])(
  'a request from %o is refused',
  async (headers) => {
    const { call } = await setUp()
    const answers = await Promise.all([
      call('POST', '/auth/sign-up', ada, headers),
      call('POST', '/auth/log-in', { email: ada.email, password: ada.password }, headers),
      call('POST', '/auth/log-out', undefined, headers),
    ])
    expect(answers.map(({ status, setCookie }) => ({ status, setCookie }))).toEqual(
      Array.from({ length: 3 }, () => ({ status: 403, setCookie: undefined })),
    )
  },
)

test('only JSON is read: what a form of another site can send is refused', async () => {
  const { call } = await setUp()
  const headers = { 'content-type': 'text/plain' }
  expect(await call('POST', '/auth/log-in', ada, headers)).toMatchObject({ status: 415 })
})

test('a session that was ended does not come back, however many pages ask for it at that moment', async () => {
  const { call, pass, openBrowser } = await setUp()
  const browser = openBrowser()
  await browser.call('POST', '/auth/sign-up', ada)
  pass(20 * dayMs)
  const asks = Array.from({ length: 5 }, () => browser.call('GET', '/auth/session'))
  const [, ...answers] = await Promise.all([browser.call('POST', '/auth/log-out'), ...asks])
  expect(answers).toHaveLength(5)
  for (const { cookies } of answers) {
    const cookie = cookies.find((line) => line.includes('fg_session='))?.split(';')[0] ?? ''
    expect((await call('GET', '/auth/session', undefined, { cookie })).status).toBe(401)
  }
})

test('a log-in with the old password does not outlive the moment in which it is changed', async () => {
  const { identity, call, openBrowser } = await setUp()
  await call('POST', '/auth/sign-up', ada)
  const user = await identity.findUserByEmail('ada@example.com')
  const { accounts } = identity
  const createSession = identity.createSession.bind(identity)
  identity.createSession = async (session) => {
    await accounts.setPassword(session.userId, 'another hash')
    await createSession(session)
  }
  const stranger = openBrowser()
  const answer = await stranger.call('POST', '/auth/log-in', { email: ada.email, password: ada.password })
  expect(answer).toMatchObject({ status: 401, cookies: [] })
  expect(await accounts.listSessions(user?.id ?? '')).toEqual([])
})

test('pages that ask at the same moment all stay logged in when the session slides', async () => {
  const { call, pass } = await setUp()
  await call('POST', '/auth/sign-up', ada)
  pass(20 * dayMs)
  const answers = await Promise.all(Array.from({ length: 5 }, () => call('GET', '/auth/session')))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  expect((await call('GET', '/auth/session')).status).toBe(200)
})

test('a session slides while it is used, and ends after thirty days without', async () => {
  const { call, pass } = await setUp()
  await call('POST', '/auth/sign-up', ada)
  pass(10 * dayMs)
  expect((await call('GET', '/auth/session')).setCookie).toBeUndefined()
  pass(10 * dayMs)
  expect(await call('GET', '/auth/session')).toMatchObject({
    status: 200,
    setCookie: expect.stringContaining('__Host-fg_session='),
    body: { expires_at: '2027-01-09T00:00:00.000Z' },
  })
  pass(29 * dayMs)
  expect((await call('GET', '/auth/session')).status).toBe(200)
  pass(30 * dayMs)
  expect((await call('GET', '/auth/session')).status).toBe(401)
})

test('an account that an administrator disabled logs nobody in, and only whoever knows its password is told', async () => {
  const { call, identity, forgetCookie } = await setUp()
  await call('POST', '/auth/sign-up', ada)
  const user = await identity.findUserByEmail('ada@example.com')
  await identity.disable(user?.id ?? '')
  expect(await call('GET', '/auth/session')).toMatchObject({ status: 401 })
  forgetCookie()
  const { email, password } = ada
  const refused = await call('POST', '/auth/log-in', { email, password })
  expect(refused).toMatchObject({ status: 403, body: { code: 'account_disabled' } })
  expect(refused.setCookie).toBeUndefined()
  expect(await call('POST', '/auth/log-in', { email, password: 'another one' })).toMatchObject({
    status: 401,
    body: { code: 'unauthenticated' },
  })
  expect(identity.securityEvents.map(({ action, outcome }) => [action, outcome])).toContainEqual([
    'log_in',
    'account_disabled',
  ])
})
