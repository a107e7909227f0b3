import { Problem } from '@flamegate/contract'
import { expect, test } from 'vitest'
import { createGuessLimiter } from './guess-limiter.ts'

function setUp() {
  let nowMs = 1_800_000_000_000
  const limiter = createGuessLimiter(() => nowMs)
  /** As the authenticator does: looks, and says what it saw. */
  const guess = (address: string | undefined, token: string, isRight = false) => {
    try {
      limiter.beforeLookUp(address, token)
      if (isRight) limiter.noteRight(token)
      else limiter.noteWrong(address, token)
      return isRight ? 'right' : 'wrong'
    } catch (error) {
      return error instanceof Problem ? error.retryAfterSeconds : error
    }
  }
  let guesses = 0
  const guessMany = (address: string, times: number) =>
    Array.from({ length: times }, () => guess(address, `guess ${guesses++}`))
  return { guess, guessMany, pass: (ms: number) => (nowMs += ms) }
}

test('after a hundred wrong tokens an address waits a second for each', () => {
  const { guess, guessMany, pass } = setUp()
  expect(new Set(guessMany('192.0.2.1', 100))).toEqual(new Set(['wrong']))
  expect(guess('192.0.2.1', 'next')).toBe(1)
  pass(1000)
  expect([guess('192.0.2.1', 'next'), guess('192.0.2.1', 'one more')]).toEqual(['wrong', 1])
  pass(3_600_000)
  expect(guessMany('192.0.2.1', 101).filter((answer) => answer === 'wrong')).toHaveLength(100)
})

test('a guess is not even looked up then, so that a right one is not found out', () => {
  const { guess, guessMany } = setUp()
  guessMany('192.0.2.1', 100)
  expect(guess('192.0.2.1', 'happens to be right', true)).toBe(1)
})

test('tokens that were right lately are right from there too, and other addresses are not concerned', () => {
  const { guess, guessMany, pass } = setUp()
  expect(guess('192.0.2.1', 'mine', true)).toBe('right')
  guessMany('192.0.2.1', 100)
  expect(guess('192.0.2.1', 'mine', true)).toBe('right')
  expect(guess('192.0.2.2', 'other', true)).toBe('right')
  expect(guess(undefined, 'of a caller inside')).toBe('wrong')
  pass(600_000)
  guessMany('192.0.2.1', 100)
  expect(guess('192.0.2.1', 'mine', true)).toBe(1)
})

test('a client that goes on with an old token uses up the tries of its address only once', () => {
  const { guess, guessMany } = setUp()
  const answers = Array.from({ length: 1000 }, () => guess('192.0.2.1', 'revoked'))
  expect(new Set(answers)).toEqual(new Set(['wrong']))
  expect(guessMany('192.0.2.1', 100).filter((answer) => answer === 'wrong')).toHaveLength(99)
})

test('a whole network of IPv6 is one address', () => {
  const { guess, guessMany } = setUp()
  guessMany('2001:db8::1', 100)
  expect(guess('2001:db8::2', 'next')).toBe(1)
  expect(guess('2001:db8:0:1::2', 'next')).toBe('wrong')
})
