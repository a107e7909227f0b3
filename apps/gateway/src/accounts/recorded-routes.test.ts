import { hashSecret } from '@flamegate/auth'
import { Secret, TOTP } from 'otpauth'
import { NotRecorded } from '@flamegate/operations/ports'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { ada, startAccounts, tokenIn } from './test-accounts.ts'
import type { TestAccounts } from './test-accounts.ts'

const logIn = { email: ada.email, password: ada.password }
const codes = '/auth/account/one-time-codes'

/** What was recorded of Ada, as `action outcome`; of nobody when it is not known who it was. */
function recorded({ identity: { securityEvents } }: TestAccounts): string[] {
  return securityEvents.map(({ action, outcome, userId }) => {
    return `${action} ${outcome}${userId === undefined ? ' nobody' : ''}`
  })
}

test('signing up, logging out and logging in are recorded, with who, from where and by which browser', async () => {
  const at = await startAccounts()
  const { call } = at.openBrowser('192.0.2.7')
  await call('POST', '/auth/sign-up', ada, { 'user-agent': 'Firefox' })
  await call('POST', '/auth/log-out')
  await call('POST', '/auth/log-in', logIn)
  expect(recorded(at)).toEqual(['sign_up ok', 'log_out ok', 'log_in ok'])
  const user = await at.identity.findUserByEmail(ada.email)
  expect(at.identity.securityEvents[0]).toMatchObject({
    userId: user?.id,
    status: 201,
    ip: '192.0.2.7',
    userAgent: 'Firefox',
    requestId: expect.any(String),
  })
})

test('a log-in that was refused says why, and whose it was, also when that does not exist', async () => {
  const at = await startAccounts({
    limits: { logIn: { attempts: 3, firstWaitMs: 1_000, longestWaitMs: 1_000 } },
  })
  const { call } = at.openBrowser()
  await call('POST', '/auth/sign-up', ada)
  await call('POST', '/auth/log-in', { ...logIn, password: 'wrong' })
  await call('POST', '/auth/log-in', { ...logIn, email: 'eve@example.com' })
  await call('POST', '/auth/log-in', logIn)
  await call('POST', '/auth/log-in', logIn)
  expect(recorded(at).slice(1)).toEqual([
    'log_in wrong_password',
    'log_in wrong_password nobody',
    'log_in ok',
    'log_in rate_limited',
  ])
  expect(JSON.stringify(at.identity.securityEvents)).not.toContain('eve@example.com')
})

test('an address that nobody confirmed yet is told from a wrong password', async () => {
  const at = await startAccounts({ mailsArrive: true })
  const { call } = at.openBrowser()
  await call('POST', '/auth/sign-up', ada)
  await call('POST', '/auth/log-in', logIn)
  await call('POST', '/auth/verify-email', { token: tokenIn(at.mails[0]) })
  expect(recorded(at)).toEqual(['sign_up ok', 'log_in email_unconfirmed', 'confirm_email ok'])
})

test('the second factor is recorded when it is turned on and off, asked for and wrong', async () => {
  const at = await startAccounts()
  const { call } = at.openBrowser()
  await call('POST', '/auth/sign-up', ada)
  const { secret } = z.object({ secret: z.string() }).parse((await call('POST', codes)).body)
  const code = () => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at.now() })
  await call('POST', `${codes}/confirm`, { code: code() })
  at.pass(60_000)
  await call('POST', '/auth/log-out')
  await call('POST', '/auth/log-in', logIn)
  await call('POST', '/auth/log-in/code', { code: '000000' })
  await call('POST', '/auth/log-in/code', { code: code() })
  await call('POST', '/auth/prove', { password: 'wrong' })
  await call('POST', `${codes}/recovery-codes`)
  await call('DELETE', codes)
  expect(recorded(at).slice(1)).toEqual([
    'turn_on_one_time_codes ok',
    'log_out ok',
    'log_in code_needed',
    'log_in wrong_code',
    'log_in ok',
    'prove wrong_password',
    expect.stringMatching(/^renew_recovery_codes /),
    expect.stringMatching(/^turn_off_one_time_codes /),
  ])
})

test('changes of the password and ended sessions are recorded', async () => {
  const at = await startAccounts({ mailsArrive: false })
  const { call } = at.openBrowser()
  await call('POST', '/auth/sign-up', ada)
  const change = { present_password: ada.password, new_password: 'another good one' }
  await call('POST', '/auth/account/password', { ...change, present_password: 'wrong' })
  await call('POST', '/auth/account/password', change)
  await call('POST', '/auth/account/sessions/end-others')
  await call('POST', '/auth/forgot-password', { email: ada.email })
  await expect.poll(() => at.mails.length).toBeGreaterThan(1)
  await call('POST', '/auth/reset-password', {
    token: tokenIn(at.mails.at(-1)),
    password: 'a third good one',
  })
  expect(recorded(at).slice(1)).toEqual([
    'change_password wrong_password',
    'change_password ok',
    'end_sessions ok',
    'reset_password ok',
  ])
})

test('what somebody sends who is not logged in fills no log', async () => {
  const at = await startAccounts()
  const { call } = at.openBrowser()
  await call('POST', '/auth/log-out')
  await call('POST', '/auth/account/sessions/end-others')
  await call('DELETE', codes)
  await call('GET', '/auth/session')
  expect(recorded(at)).toEqual([])
})

test('what could not be recorded is not answered as if it were', async () => {
  const at = await startAccounts()
  const { call } = at.openBrowser()
  await call('POST', '/auth/sign-up', ada)
  at.identity.securityLog.record = () => Promise.reject(new NotRecorded())
  const answer = await call('POST', '/auth/log-in', logIn)
  expect(answer).toMatchObject({ status: 503, body: { code: 'unavailable' } })
})

test('a stranger who is refused again and again fills no log, and hides nothing', async () => {
  const at = await startAccounts()
  const { call } = at.openBrowser('192.0.2.7')
  await call('POST', '/auth/sign-up', ada)
  for (let round = 0; round < 130; round += 1) {
    await call('GET', '/auth/sign-ins/none/callback')
    await call('POST', '/auth/log-in', {})
  }
  const counts = Map.groupBy(recorded(at), (event) => event)
  expect([...counts].map(([event, { length }]) => [event, length])).toEqual([
    ['sign_up ok', 1],
    ['log_in not_found nobody', 100],
    ['log_in invalid_input nobody', 100],
  ])
  await call('POST', '/auth/log-in', { ...logIn, password: 'wrong' })
  expect(recorded(at).at(-1)).toBe('log_in wrong_password')
  await at.openBrowser('198.51.100.1').call('GET', '/auth/sign-ins/none/callback')
  expect(recorded(at).at(-1)).toBe('log_in not_found nobody')
})

test('what could not be read is no defect of ours', async () => {
  const at = await startAccounts()
  await at.openBrowser().call('POST', '/auth/log-in', {}, { 'content-type': 'text/plain' })
  expect(at.identity.securityEvents).toMatchObject([{ outcome: 'malformed_request', status: 415 }])
})

test('somebody else who signs up with a person’s address is told from the person', async () => {
  const at = await startAccounts({ mailsArrive: true })
  await at.openBrowser().call('POST', '/auth/sign-up', ada)
  await at.openBrowser().call('POST', '/auth/verify-email', {
    token: tokenIn(at.mails[0]),
    password: ada.password,
  })
  await at.openBrowser().call('POST', '/auth/sign-up', { ...ada, password: 'of a stranger' })
  expect(recorded(at)).toEqual(['sign_up ok', 'confirm_email ok', 'sign_up account_exists'])
})

test('the admins of a workspace see who accepted an invitation to it, whichever way', async () => {
  const at = await startAccounts()
  const invite = (secret: string, workspaceId: string) =>
    at.identity.addInvitation(hashSecret(secret), { email: ada.email, workspaceId, role: 'member' })
  invite('first', 'ws_1')
  invite('second', 'ws_2')
  const { call } = at.openBrowser()
  await call('POST', '/auth/sign-up', { ...ada, invitation: 'first' })
  await call('POST', '/auth/join', { invitation: 'second' })
  await call('POST', '/auth/join', { invitation: 'second' })
  const places = at.identity.securityEvents.map(({ workspaceId }) => workspaceId)
  expect([recorded(at), places]).toEqual([
    ['sign_up ok', 'join_workspace ok', 'join_workspace ok', 'join_workspace not_found'],
    ['ws_1', 'ws_1', 'ws_2', undefined],
  ])
})
