import { Problem } from '@flamegate/contract'
import { expect, test } from 'vitest'
import { logInInput, passwordChangeInput, readInput, resetInput, signUpInput } from './account-input.ts'
import { isOftenTried } from './often-tried.ts'

test.each([
  ['password', true],
  ['PASSWORD1', true],
  ['12345678', true],
  ['ｐａｓｓｗｏｒｄ', true],
  ['Flamegate2026!', true],
  ['correct horse battery', false],
  ['flamegate is not a horse', false],
  ['12345678 and then some', false],
])('%j is tried first: %o', (password, expected) => {
  expect(isOftenTried(password)).toBe(expected)
})

test.each([
  [
    'signing up',
    () => readInput(signUpInput, { name: 'Ada', email: 'ada@example.com', password: 'iloveyou' }),
  ],
  ['a new password by mail', () => readInput(resetInput, { token: 'x', password: 'iloveyou' })],
  ['a new password on the account page', () => readInput(passwordChangeInput, { new_password: 'iloveyou' })],
])('%s with a password that is tried first is refused, by the name of its field', (_where, read) => {
  const refusal = (() => {
    try {
      return read()
    } catch (error) {
      return error
    }
  })()
  expect(refusal).toBeInstanceOf(Problem)
  expect(refusal).toMatchObject({
    code: 'invalid_input',
    errors: [{ field: expect.stringMatching(/password$/), message: expect.stringContaining('tried first') }],
  })
})

test('logging in is not held up by it: who has such a password from before gets in and can change it', () => {
  expect(readInput(logInInput, { email: 'ada@example.com', password: 'iloveyou' }).password).toBe('iloveyou')
})
