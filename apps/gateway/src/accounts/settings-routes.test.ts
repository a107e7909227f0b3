import { expect, test } from 'vitest'
import { z } from 'zod'
import { ada, bob, startAccounts } from './test-accounts.ts'

const logIn = { email: ada.email, password: ada.password }
const accountSchema = z.looseObject({
  sessions: z.array(z.object({ id: z.string(), is_current: z.boolean(), user_agent: z.string() })),
})

test('the account page shows one’s own account, and nothing to strangers', async () => {
  const { openBrowser } = await startAccounts()
  const { call } = openBrowser()
  expect((await call('GET', '/auth/account')).status).toBe(401)
  await call('POST', '/auth/sign-up', ada, { 'user-agent': 'Firefox' })
  expect((await call('GET', '/auth/account')).body).toEqual({
    user: { id: expect.stringMatching(/^usr_/), email: ada.email, name: ada.name },
    is_email_confirmed: false,
    has_password: true,
    is_proof_fresh: true,
    sessions: [
      {
        id: expect.stringMatching(/^[0-9a-f]{24}$/),
        is_current: true,
        user_agent: 'Firefox',
        created_at: '2026-11-20T00:00:00.000Z',
      },
    ],
    can_use_passkeys: true,
    passkeys: [],
    one_time_codes: { in_use: false, recovery_codes_left: 0 },
    sign_ins: [],
  })
})

test('the name can be changed', async () => {
  const { openBrowser } = await startAccounts()
  const { call } = openBrowser()
  await call('POST', '/auth/sign-up', ada)
  expect((await call('PATCH', '/auth/account', { name: ' ' })).status).toBe(400)
  expect((await call('PATCH', '/auth/account', { name: ' Ada King ' })).status).toBe(204)
  expect(await call('GET', '/auth/session')).toMatchObject({ body: { user: { name: 'Ada King' } } })
})

test('the password is changed with the present one, which ends the other sessions', async () => {
  const { openBrowser } = await startAccounts()
  const [here, there] = [openBrowser(), openBrowser()]
  await here.call('POST', '/auth/sign-up', ada)
  await there.call('POST', '/auth/log-in', logIn)
  const change = (present_password: string | undefined, new_password: string) =>
    here.call('POST', '/auth/account/password', { present_password, new_password })
  for (const wrong of ['wrong horse', undefined]) {
    expect(await change(wrong, 'another horse')).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'present_password' }] },
    })
  }
  expect(await change(ada.password, 'short')).toMatchObject({ body: { errors: [{ field: 'new_password' }] } })
  expect((await there.call('GET', '/auth/session')).status).toBe(200)
  expect((await change(ada.password, 'another horse')).status).toBe(204)
  expect((await there.call('GET', '/auth/session')).status).toBe(401)
  expect((await here.call('GET', '/auth/session')).status).toBe(200)
  expect((await there.call('POST', '/auth/log-in', logIn)).status).toBe(401)
  expect((await there.call('POST', '/auth/log-in', { ...logIn, password: 'another horse' })).status).toBe(200)
})

test('guessing the present password is slowed down as at log-in', async () => {
  const limits = { passwordsPerPlace: { attempts: 3, firstWaitMs: 60_000, longestWaitMs: 60_000 } }
  const { openBrowser } = await startAccounts({ limits })
  const { call } = openBrowser()
  await call('POST', '/auth/sign-up', ada)
  const statuses: number[] = []
  for (let guess = 0; guess < 4; guess++)
    statuses.push((await call('POST', '/auth/prove', { password: `guess ${guess}` })).status)
  expect(statuses).toEqual([400, 400, 400, 429])
})

test('sessions are ended one by one or all others at once, one’s own only', async () => {
  const { openBrowser } = await startAccounts()
  const browsers = [openBrowser(), openBrowser(), openBrowser(), openBrowser()]
  const [first, second, third, stranger] = browsers
  await first?.call('POST', '/auth/sign-up', ada)
  await second?.call('POST', '/auth/log-in', logIn, { 'user-agent': 'Second' })
  await third?.call('POST', '/auth/log-in', logIn)
  await stranger?.call('POST', '/auth/sign-up', bob)
  const { sessions } = accountSchema.parse((await first?.call('GET', '/auth/account'))?.body)
  expect(sessions.map(({ is_current }) => is_current).filter(Boolean)).toHaveLength(1)
  const url = `/auth/account/sessions/${sessions.find(({ user_agent }) => user_agent === 'Second')?.id}`
  const areIn = () =>
    Promise.all(browsers.map(async ({ call }) => (await call('GET', '/auth/session')).status === 200))

  expect((await stranger?.call('DELETE', url))?.status).toBe(404)
  expect(await areIn()).toEqual([true, true, true, true])
  expect((await first?.call('DELETE', url))?.status).toBe(204)
  expect((await first?.call('DELETE', url))?.status).toBe(404)
  expect(await areIn()).toEqual([true, false, true, true])
  expect((await first?.call('POST', '/auth/account/sessions/end-others'))?.status).toBe(204)
  expect(await areIn()).toEqual([true, false, false, true])
})

test('a session that slides on stays as fresh as it was', async () => {
  const { openBrowser, pass } = await startAccounts()
  const { call } = openBrowser()
  await call('POST', '/auth/sign-up', ada)
  pass(16 * 86_400_000)
  expect((await call('GET', '/auth/session')).cookies).toHaveLength(1)
  expect(await call('GET', '/auth/account')).toMatchObject({ body: { is_proof_fresh: false } })
})

test.each([
  ['PATCH', '/auth/account'],
  ['POST', '/auth/account/password'],
  ['POST', '/auth/account/sessions/end-others'],
  ['DELETE', '/auth/account/sessions/x'],
  ['POST', '/auth/prove'],
  ['POST', '/auth/prove/passkey'],
  ['POST', '/auth/account/passkeys/options'],
  ['POST', '/auth/account/passkeys'],
  ['DELETE', '/auth/account/passkeys/x'],
  ['POST', '/auth/account/one-time-codes'],
  ['POST', '/auth/account/one-time-codes/confirm'],
  ['POST', '/auth/account/one-time-codes/recovery-codes'],
  ['DELETE', '/auth/account/one-time-codes'],
  ['POST', '/auth/account/sign-ins/oidc'],
  ['DELETE', '/auth/account/sign-ins/oidc'],
  ['POST', '/auth/account/verification-mail'],
  ['POST', '/auth/account/email'],
  ['POST', '/auth/change-email'],
] as const)('%s %s is for whoever is logged in, from our own pages', async (method, url) => {
  const { openBrowser } = await startAccounts()
  const { call } = openBrowser()
  const payload = method === 'DELETE' ? undefined : {}
  expect((await call(method, url, payload)).status).toBe(401)
  await call('POST', '/auth/sign-up', ada)
  const headers = { origin: 'https://evil.example' }
  expect(await call(method, url, payload, headers)).toMatchObject({
    status: 403,
    body: { code: 'cross_site_request' },
  })
})
