import { Secret, TOTP } from 'otpauth'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { ada, siteUrl, startAccounts } from './test-accounts.ts'

test('every change of what one logs in with is told by one letter', async () => {
  const at = await startAccounts()
  const { call } = at.openBrowser()
  await call('POST', '/auth/sign-up', ada)
  const letters = () => at.mails.filter(({ subject }) => subject === 'A change in your Flamegate account')
  const heard: string[] = []
  const hear = () => {
    expect(letters()).toHaveLength(heard.length + 1)
    heard.push(letters().at(-1)?.text.split('\n')[0] ?? '')
  }
  const change = { present_password: ada.password, new_password: 'another horse' }
  await call('POST', '/auth/account/password', change)
  hear()
  const path = '/auth/account/one-time-codes'
  const { secret } = z.object({ secret: z.string() }).parse((await call('POST', path)).body)
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at.now() })
  expect((await call('POST', `${path}/confirm`, { code })).status).toBe(200)
  hear()
  await call('POST', `${path}/recovery-codes`)
  hear()
  await call('DELETE', path)
  hear()
  expect(heard).toEqual([
    'The password of your Flamegate account was changed.',
    'One-time codes were turned on for your Flamegate account.',
    'New recovery codes were made for your Flamegate account.',
    'One-time codes were turned off for your Flamegate account.',
  ])
})

test('a letter says when, from where, with what, and what to do; in our words only', async () => {
  const at = await startAccounts()
  const { call } = at.openBrowser('2001:db8::7')
  await call('POST', '/auth/sign-up', ada)
  const change = { present_password: ada.password, new_password: 'another horse' }
  const evil = 'Firefox/130.0 (X11; Linux) Call https://evil.example at once'
  await call('POST', '/auth/account/password', change, { 'user-agent': evil })
  expect(at.mails.at(-1)).toEqual({
    to: ada.email,
    subject: 'A change in your Flamegate account',
    text: [
      'The password of your Flamegate account was changed.',
      'That was on 2026-11-20 00:00 UTC, from the address 2001:db8::7, with Firefox on Linux.',
      'If that was you, do nothing. If not, choose a new password at once, and then remove what you do not know from your account:',
      `${siteUrl}/forgot-password`,
      `${siteUrl}/settings/account\n`,
    ].join('\n\n'),
  })
})
