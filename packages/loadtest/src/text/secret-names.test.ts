import { expect, test } from 'vitest'
import { isPassword, wordsOf } from './secret-names.ts'

test.each([
  'password',
  'user[newPassword]',
  'pwd',
  'pw',
  'user_pw',
  'passcode',
  'credentials.passcode',
  'SWEPassword',
  'userpassword',
  'newpasswd',
])('%s is for a password', (name) => {
  expect(isPassword(name)).toBe(true)
})

test.each(['power', 'pwa', 'passenger', 'passwords_count', 'compass', 'bypass', 'code'])(
  '%s is for none',
  (name) => {
    expect(isPassword(name)).toBe(false)
  },
)

test('wordsOf() parts capitals from the word behind them, also of very many', () => {
  expect(wordsOf('SWEUserName')).toBe('swe user name')
  expect(wordsOf('userID')).toBe('user id')
  expect(wordsOf('A'.repeat(1_000_000))).toHaveLength(1_000_000)
})
