import { Problem } from '@flamegate/contract'
import { expect, test } from 'vitest'
import { createAttemptLimiter } from './attempt-limiter.ts'

function setUp() {
  let nowMs = 0
  const limiter = createAttemptLimiter({ attempts: 2, windowMs: 60_000 }, () => nowMs)
  const attempt = (key: string) => {
    try {
      limiter.count(key)
      return 'allowed'
    } catch (error) {
      return error instanceof Problem ? error.retryAfterSeconds : error
    }
  }
  return { limiter, attempt, pass: (ms: number) => (nowMs += ms) }
}

test('too many attempts are refused until the window closes, and it says when', () => {
  const { attempt, pass } = setUp()
  expect([attempt('a'), attempt('a'), attempt('a')]).toEqual(['allowed', 'allowed', 60])
  pass(45_000)
  expect([attempt('a'), attempt('b')]).toEqual([15, 'allowed'])
  pass(15_000)
  expect(attempt('a')).toBe('allowed')
})

test('a success starts anew', () => {
  const { limiter, attempt } = setUp()
  expect([attempt('a'), attempt('a')]).toEqual(['allowed', 'allowed'])
  limiter.forget('a')
  expect(attempt('a')).toBe('allowed')
})

test('very many keys do not stay in memory, and the newest still count', () => {
  const { attempt } = setUp()
  for (let index = 0; index < 60_000; index++) attempt(`key ${index}`)
  expect([attempt('key 0'), attempt('key 0'), attempt('key 0')]).toEqual(['allowed', 'allowed', 60])
  expect([attempt('key 59999'), attempt('key 59999')]).toEqual(['allowed', 60])
})
