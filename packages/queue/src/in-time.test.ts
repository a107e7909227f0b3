import { Problem } from '@flamegate/contract'
import { afterEach, expect, test, vi } from 'vitest'
import { answerWithinMs, asked } from './in-time.ts'

afterEach(() => {
  vi.useRealTimers()
})

test('what the queue answers is what one gets', async () => {
  expect(await asked(Promise.resolve('a job'))).toBe('a job')
})

test('a queue that is away is told as that, with when to try again, and why for the log only', async () => {
  const cause = Object.assign(new Error('connect ECONNREFUSED 10.0.0.7:6379'), { code: 'ECONNREFUSED' })
  const refusal: unknown = await asked(Promise.reject(cause)).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(Problem)
  expect(refusal).toMatchObject({ code: 'unavailable', status: 503, retryAfterSeconds: 5, cause })
  expect(String(refusal)).not.toContain('10.0.0.7')
})

test('so is one that does not answer', async () => {
  vi.useFakeTimers()
  const refusal = asked(new Promise(() => undefined)).catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(answerWithinMs)
  expect(await refusal).toMatchObject({ code: 'unavailable', status: 503 })
})
