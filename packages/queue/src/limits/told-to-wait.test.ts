import type { Bucket, Claim, RateLimiter } from '@flamegate/operations/ports'
import { expect, test } from 'vitest'
import { memoryRateLimiter } from './memory-rate-limiter.ts'
import { tellingOnce } from './told-to-wait.ts'

const bucket = (change: Partial<Bucket> = {}): Bucket => ({
  name: 'user',
  key: 'user:usr_1',
  capacity: 10,
  perSecond: 4,
  ...change,
})
const slots = { name: 'client-concurrency', key: 'client:1', most: 1 } as const
const claim = (change: Partial<Claim> = {}): Claim => ({
  lease: 'lease',
  cost: 1,
  buckets: [bucket()],
  slots: [],
  ...change,
})

/** With a clock that stands still until it is told, and the questions that came through. */
function opened() {
  const clock = { nowMs: 1_800_000_000_000 }
  const asked: Claim[] = []
  const counting = memoryRateLimiter(() => clock.nowMs)
  const limiter: RateLimiter = {
    take(each) {
      asked.push(each)
      return counting.take(each)
    },
    release: (each) => counting.release(each),
  }
  return { clock, asked, limiter: tellingOnce(limiter, () => clock.nowMs) }
}

test('whoever comes before the seconds are over that they were told is refused without a question', async () => {
  const { clock, asked, limiter } = opened()
  await limiter.take(claim({ cost: 10 }))
  expect(await limiter.take(claim())).toMatchObject({ refusedBy: 'user', retryAfterMs: 250 })
  expect(asked).toHaveLength(2)
  // There would be one by now.
  clock.nowMs += 600
  expect(await limiter.take(claim())).toEqual({
    refusedBy: 'user',
    retryAfterMs: 400,
    limits: [expect.objectContaining({ name: 'user', remaining: 0, moreInSeconds: 1 })],
    wasToldBefore: true,
  })
  expect(asked).toHaveLength(2)
  clock.nowMs += 400
  const granted = await limiter.take(claim())
  expect(granted).toMatchObject({ refusedBy: undefined, retryAfterMs: 0 })
  expect(granted.wasToldBefore).toBeUndefined()
})

test('what costs less than what was refused, or only looks, is asked for', async () => {
  const { asked, limiter } = opened()
  await limiter.take(claim({ cost: 8 }))
  expect(await limiter.take(claim({ cost: 5 }))).toMatchObject({ refusedBy: 'user' })
  expect((await limiter.take(claim({ cost: 1 }))).refusedBy).toBeUndefined()
  expect((await limiter.take(claim({ cost: 0 }))).limits).toHaveLength(1)
  expect(asked).toHaveLength(4)
  expect(await limiter.take(claim({ cost: 6 }))).toMatchObject({ refusedBy: 'user', wasToldBefore: true })
})

test('one limit that is reached refuses all claims on it, and no other', async () => {
  const { limiter } = opened()
  const tool = bucket({ name: 'tool', key: 'tool:usr_1:list_runs', capacity: 1 })
  await limiter.take(claim({ buckets: [bucket(), tool] }))
  expect(await limiter.take(claim({ buckets: [bucket(), tool] }))).toMatchObject({ refusedBy: 'tool' })
  const both = await limiter.take(claim({ buckets: [bucket(), tool] }))
  expect(both).toMatchObject({ refusedBy: 'tool', wasToldBefore: true })
  expect((await limiter.take(claim({ buckets: [bucket()] }))).refusedBy).toBeUndefined()
})

test('a slot that comes free is had at once', async () => {
  const { limiter } = opened()
  const [first, second] = [claim({ buckets: [], slots: [slots] }), claim({ buckets: [], slots: [slots] })]
  await limiter.take(first)
  expect((await limiter.take(second)).refusedBy).toBe('client-concurrency')
  limiter.release(first)
  expect((await limiter.take(second)).refusedBy).toBeUndefined()
})

test('a limiter that answers later is remembered alike', async () => {
  const { asked, limiter } = opened()
  const late = tellingOnce({ ...limiter, take: async (each) => limiter.take(each) })
  await late.take(claim({ cost: 10 }))
  await late.take(claim())
  expect(late.take(claim())).toMatchObject({ refusedBy: 'user', wasToldBefore: true })
  expect(asked).toHaveLength(2)
})
