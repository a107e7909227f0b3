import { hashSecret } from '@flamegate/auth'
import { Secret, TOTP } from 'otpauth'
import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import { ada, startAccounts, tokenIn } from './test-accounts.ts'
import type { TestAccounts, TestBrowser } from './test-accounts.ts'

const minuteMs = 60_000
const logIn = { email: ada.email, password: ada.password }
const enrolmentSchema = z.object({ secret: z.string(), uri: z.string(), qr_rows: z.array(z.string()) })
const codesSchema = z.object({ recovery_codes: z.array(z.string()) })
const path = '/auth/account/one-time-codes'

function showCode(secret: string, atMs: number): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: atMs })
}

/** Somebody who uses one-time codes, a minute after turning them on, so that the next code is a new one. */
async function enrol(
  at: TestAccounts,
): Promise<{ browser: TestBrowser; code: () => string; recovery: string[] }> {
  const browser = at.openBrowser()
  await browser.call('POST', '/auth/sign-up', ada)
  const { secret } = enrolmentSchema.parse((await browser.call('POST', path)).body)
  const confirmed = await browser.call('POST', `${path}/confirm`, { code: showCode(secret, at.now()) })
  const { recovery_codes: recovery } = codesSchema.parse(confirmed.body)
  at.pass(minuteMs)
  return { browser, code: () => showCode(secret, at.now()), recovery }
}

test('turning codes on shows a secret for the app, and ten recovery codes after the first code', async () => {
  const at = await startAccounts()
  const { call } = at.openBrowser()
  await call('POST', '/auth/sign-up', ada)
  const enrolment = enrolmentSchema.parse((await call('POST', path)).body)
  expect(enrolment.uri).toMatch(
    new RegExp(`^otpauth://totp/Flamegate:ada%40example.com\\?.*secret=${enrolment.secret}&`),
  )
  expect(new Set(enrolment.qr_rows.map((row) => row.length))).toEqual(new Set([enrolment.qr_rows.length]))
  expect(await call('GET', '/auth/account')).toMatchObject({ body: { one_time_codes: { in_use: false } } })
  expect(await call('POST', `${path}/confirm`, { code: '000000' })).toMatchObject({
    status: 400,
    body: { errors: [{ field: 'code' }] },
  })
  const confirmed = await call('POST', `${path}/confirm`, { code: showCode(enrolment.secret, at.now()) })
  const { recovery_codes } = codesSchema.parse(confirmed.body)
  expect(new Set(recovery_codes).size).toBe(10)
  expect(recovery_codes[0]).toMatch(/^[a-z2-7]{4}(-[a-z2-7]{4}){5}$/)
  expect(await call('GET', '/auth/account')).toMatchObject({
    body: { one_time_codes: { in_use: true, recovery_codes_left: 10 } },
  })
  expect(await call('POST', path)).toMatchObject({ status: 409 })
})

test('the first code may be typed as apps show it, in two halves', async () => {
  const at = await startAccounts()
  const { call } = at.openBrowser()
  await call('POST', '/auth/sign-up', ada)
  const { secret } = enrolmentSchema.parse((await call('POST', path)).body)
  const code = showCode(secret, at.now()).replace(/(?<=^...)/, ' ')
  expect(await call('POST', `${path}/confirm`, { code })).toMatchObject({ status: 200 })
})

test('neither the secret nor a recovery code can be read in storage', async () => {
  const at = await startAccounts()
  const { call } = at.openBrowser()
  await call('POST', '/auth/sign-up', ada)
  const { secret } = enrolmentSchema.parse((await call('POST', path)).body)
  const user = await at.identity.findUserByEmail(ada.email)
  const stored = await at.identity.accounts.totp.find(user?.id ?? '')
  expect(stored?.sealedSecret).toMatch(/^[\w-]+\.[\w-]+$/)
  expect(stored?.sealedSecret).not.toContain(secret)
})

test('logging in asks for a code after the password, and nothing works before it', async () => {
  const at = await startAccounts()
  const { code } = await enrol(at)
  const { call, cookie } = at.openBrowser()
  expect(await call('POST', '/auth/log-in', logIn)).toMatchObject({
    status: 202,
    body: { next: 'second_factor' },
  })
  expect(cookie('__Host-fg_session')).toBeUndefined()
  expect((await call('GET', '/auth/session')).status).toBe(401)
  expect(await call('POST', '/auth/log-in/code', { code: code() })).toMatchObject({
    status: 200,
    body: { user: { email: ada.email } },
  })
  expect((await call('GET', '/auth/session')).status).toBe(200)
  expect(cookie('__Host-fg_second_factor')).toBeUndefined()
})

test('the same code is refused a second time, also one that came a step late', async () => {
  const at = await startAccounts()
  const { code } = await enrol(at)
  const enter = async (entered: string) => {
    const { call } = at.openBrowser()
    await call('POST', '/auth/log-in', logIn)
    return (await call('POST', '/auth/log-in/code', { code: entered })).status
  }
  const first = code()
  const attempts = await Promise.all([enter(first), enter(first)])
  expect(attempts.toSorted((a, b) => a - b)).toEqual([200, 400])
  at.pass(30_000)
  expect(await enter(first)).toBe(400)
  expect(await enter(code())).toBe(200)
})

test('a recovery code stands in once, however it is written', async () => {
  const at = await startAccounts()
  const { recovery } = await enrol(at)
  const enter = async (code: string) => {
    const { call } = at.openBrowser()
    await call('POST', '/auth/log-in', logIn)
    return (await call('POST', '/auth/log-in/code', { code })).status
  }
  const [first = '', second = ''] = recovery
  expect(await enter(first)).toBe(200)
  expect(await enter(first)).toBe(400)
  expect(await enter(` ${second.toUpperCase().replaceAll('-', ' ')} `)).toBe(200)
})

/** Wrong codes from one address each; gives what was answered. */
async function guessFrom(at: TestAccounts, addresses: readonly string[]): Promise<number[]> {
  const statuses: number[] = []
  for (const address of addresses) {
    const { call } = at.openBrowser(address)
    await call('POST', '/auth/log-in', logIn)
    statuses.push((await call('POST', '/auth/log-in/code', { code: '000000' })).status)
  }
  return statuses
}

const many = (count: number) => Array.from({ length: count }, (_, index) => `192.0.2.${index + 10}`)
const enter = async ({ call }: TestBrowser, code: string) => {
  await call('POST', '/auth/log-in', logIn)
  return (await call('POST', '/auth/log-in/code', { code })).status
}

test('guessing codes makes whoever does it wait longer each time, and the person elsewhere not at all', async () => {
  const at = await startAccounts()
  const { code } = await enrol(at)
  const here = Array.from({ length: 6 }, () => '192.0.2.66')
  expect(await guessFrom(at, here)).toEqual([400, 400, 400, 400, 400, 429])
  const waits: unknown[] = []
  for (let round = 0; round < 3; round++) {
    const { call } = at.openBrowser('192.0.2.66')
    await call('POST', '/auth/log-in', logIn)
    const refused = await call('POST', '/auth/log-in/code', { code: '000000' })
    const seconds = z.object({ retry_after_seconds: z.number() }).parse(refused.body).retry_after_seconds
    waits.push(seconds)
    at.pass(seconds * 1000)
    await guessFrom(at, ['192.0.2.66'])
  }
  expect(waits).toEqual([5, 10, 20])
  expect(await enter(at.openBrowser(), code())).toBe(200)
})

test('guessing codes from many addresses ends soon, and a recovery code lets in all the while', async () => {
  const at = await startAccounts()
  const { code, recovery } = await enrol(at)
  expect(await guessFrom(at, many(31))).toEqual([...Array.from({ length: 30 }, () => 400), 429])
  expect(await enter(at.openBrowser(), code())).toBe(429)
  expect(await enter(at.openBrowser(), recovery[0] ?? '')).toBe(200)
  at.pass(minuteMs)
  expect(await enter(at.openBrowser(), code())).toBe(200)
})

test('a new password makes guesses with the old one count no more', async () => {
  const at = await startAccounts()
  const { browser, code } = await enrol(at)
  await guessFrom(at, many(31))
  const change = { present_password: ada.password, new_password: 'another horse' }
  expect((await browser.call('POST', '/auth/account/password', change)).status).toBe(204)
  const { call } = at.openBrowser()
  await call('POST', '/auth/log-in', { ...logIn, password: 'another horse' })
  expect((await call('POST', '/auth/log-in/code', { code: code() })).status).toBe(200)
})

test('the person is told when somebody guesses their codes, at most once an hour', async () => {
  const at = await startAccounts()
  await enrol(at)
  const warnings = () => at.mails.filter(({ subject }) => subject.startsWith('Wrong one-time codes'))
  await guessFrom(at, many(4))
  expect(warnings()).toEqual([])
  await guessFrom(at, many(6))
  expect(warnings()).toMatchObject([{ to: ada.email, text: expect.stringContaining('192.0.2.10') }])
  at.pass(60 * minuteMs)
  await guessFrom(at, many(6))
  expect(warnings()).toHaveLength(2)
})

test('a code is worth nothing without the password before it, in the same browser and within ten minutes', async () => {
  const at = await startAccounts()
  const { code } = await enrol(at)
  const { call } = at.openBrowser()
  expect((await call('POST', '/auth/log-in/code', { code: code() })).status).toBe(401)
  await call('POST', '/auth/log-in', logIn)
  expect((await at.openBrowser().call('POST', '/auth/log-in/code', { code: code() })).status).toBe(401)
  at.pass(10 * minuteMs)
  expect((await call('POST', '/auth/log-in/code', { code: code() })).status).toBe(401)
})

test('turning codes off, and new recovery codes, want a fresh proof: the password and a code', async () => {
  const at = await startAccounts()
  const { browser, code, recovery } = await enrol(at)
  const { call } = browser
  at.pass(10 * minuteMs)
  const refused = { status: 403, body: { code: 'proof_needed' } }
  expect(await call('DELETE', path)).toMatchObject(refused)
  expect(await call('POST', `${path}/recovery-codes`)).toMatchObject(refused)
  const { password } = ada
  expect(await call('POST', '/auth/prove', { password: 'wrong horse', code: code() })).toMatchObject({
    status: 400,
    body: { errors: [{ field: 'password' }] },
  })
  expect(await call('POST', '/auth/prove', { password })).toMatchObject({
    status: 400,
    body: { errors: [{ field: 'code' }] },
  })
  expect(await call('POST', '/auth/prove', { password, code: '000000' })).toMatchObject({ status: 400 })
  expect(await call('DELETE', path)).toMatchObject(refused)
  expect(await call('POST', '/auth/prove', { password, code: code() })).toMatchObject({ status: 204 })

  const renewed = codesSchema.parse((await call('POST', `${path}/recovery-codes`)).body).recovery_codes
  expect(renewed).toHaveLength(10)
  expect(renewed).not.toContain(recovery[0])
  expect(await call('DELETE', path)).toMatchObject({ status: 204 })
  expect(await call('GET', '/auth/account')).toMatchObject({
    body: { one_time_codes: { in_use: false, recovery_codes_left: 0 } },
  })
  expect(await at.openBrowser().call('POST', '/auth/log-in', logIn)).toMatchObject({ status: 200 })
})

test('a new password by mail does not get around the codes', async () => {
  const at = await startAccounts()
  const { code } = await enrol(at)
  const user = await at.identity.findUserByEmail(ada.email)
  const expiresAt = new Date(at.now() + minuteMs)
  const ticket = { purpose: 'reset_password' as const, userId: user?.id ?? '', payload: {}, expiresAt }
  await at.identity.accounts.tickets.add({ ...ticket, secretHash: hashSecret('link') })
  const { call } = at.openBrowser()
  await call('POST', '/auth/reset-password', { token: 'link', password: 'another horse' })
  expect(await call('POST', '/auth/log-in', { ...logIn, password: 'another horse' })).toMatchObject({
    body: { next: 'second_factor' },
  })
  expect((await call('POST', '/auth/log-in/code', { code: code() })).status).toBe(200)
})

test('whoever has given the old password goes no further with a code once it was changed', async () => {
  const at = await startAccounts()
  const { browser, code } = await enrol(at)
  const { call } = at.openBrowser()
  await call('POST', '/auth/log-in', logIn)
  const change = { present_password: ada.password, new_password: 'another horse' }
  expect((await browser.call('POST', '/auth/account/password', change)).status).toBe(204)
  expect((await call('POST', '/auth/log-in/code', { code: code() })).status).toBe(401)
})

test('whoever has given the old password goes no further with a code once it was chosen anew by mail', async () => {
  const at = await startAccounts()
  const { code } = await enrol(at)
  const { call } = at.openBrowser()
  await call('POST', '/auth/log-in', logIn)
  await call('POST', '/auth/forgot-password', { email: ada.email })
  const resets = () => at.mails.filter(({ text }) => text.includes('/reset-password?token='))
  await vi.waitFor(() => expect(resets()).toHaveLength(1))
  const reset = { token: tokenIn(resets()[0]), password: 'another horse' }
  expect((await call('POST', '/auth/reset-password', reset)).status).toBe(200)
  expect((await call('POST', '/auth/log-in/code', { code: code() })).status).toBe(401)
})
