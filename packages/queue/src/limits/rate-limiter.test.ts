import type { Bucket, Claim, RateLimiter, Slots, Verdict } from '@flamegate/operations/ports'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasRedis, startTestRedis } from '../test-servers.ts'
import type { TestServer } from '../test-servers.ts'
import { memoryRateLimiter } from './memory-rate-limiter.ts'
import { redisRateLimiter } from './redis-rate-limiter.ts'

const complaints: string[] = []
const log = {
  info: () => {},
  warn: (_: object, words: string) => void complaints.push(words),
  error: () => {},
}

const canTestRedis = hasRedis()
if (!canTestRedis) {
  console.warn(
    '\n*** redis-server was not found: limits are tested in memory only. Install it to test both. ***\n',
  )
}

let redis: TestServer | undefined
beforeAll(async () => {
  if (canTestRedis) redis = await startTestRedis()
})
afterAll(() => redis?.stop())

/** A clock that stands still until it is told. */
class Clock {
  nowMs = 1_800_000_000_000
  readonly now = () => this.nowMs
}

interface Subject {
  limiter: RateLimiter
  close: () => Promise<void>
}

const subjects: { backend: string; open: (clock: Clock) => Promise<Subject> }[] = [
  {
    backend: 'memory',
    open: async ({ now }) => ({ limiter: memoryRateLimiter(now), close: async () => undefined }),
  },
]
if (canTestRedis) subjects.push({ backend: 'Redis', open: ({ now }) => openRedis({ now }) })

async function openRedis(options: { now?: () => number; leaseMs?: number } = {}): Promise<Subject> {
  const limiter = redisRateLimiter({ redisUrl: redis?.url ?? '', log, ...options })
  // The first answer that is not alone: the connection is there.
  await expect
    .poll(async () => {
      complaints.length = 0
      await limiter.take({ lease: 'probe', cost: 0, buckets: [], slots: [] })
      return complaints
    })
    .toEqual([])
  return { limiter, close: () => limiter.close() }
}

let names = 0
const bucket = (change: Partial<Bucket> = {}): Bucket => ({
  name: 'user',
  key: `user:${names++}`,
  capacity: 10,
  perSecond: 2,
  ...change,
})
const slots = (most: number): Slots => ({ name: 'client-concurrency', key: `client:${names++}`, most })
const claim = (change: Partial<Claim>): Claim => ({
  lease: `lease ${names++}`,
  cost: 1,
  buckets: [],
  slots: [],
  ...change,
})

describe.each(subjects)('the limiter in $backend', ({ open }) => {
  async function opened(): Promise<{
    clock: Clock
    limiter: RateLimiter
    take: (change: Partial<Claim>) => Promise<Verdict>
    [Symbol.asyncDispose]: () => Promise<void>
  }> {
    const clock = new Clock()
    const { limiter, close } = await open(clock)
    return {
      clock,
      limiter,
      take: async (change) => limiter.take(claim(change)),
      [Symbol.asyncDispose]: close,
    }
  }

  test('grants a burst as large as the bucket, then refuses and says how long to wait', async () => {
    await using at = await opened()
    const buckets = [bucket()]
    const verdicts = []
    for (let call = 0; call < 12; call += 1) verdicts.push(await at.take({ buckets }))
    expect(verdicts.map(({ refusedBy }) => refusedBy)).toEqual([
      ...Array<undefined>(10).fill(undefined),
      'user',
      'user',
    ])
    expect(verdicts[0]?.limits).toEqual([
      { name: 'user', quota: 10, windowSeconds: 5, remaining: 9, moreInSeconds: 1, fullInSeconds: 1 },
    ])
    expect(verdicts[11]).toEqual({
      refusedBy: 'user',
      retryAfterMs: 500,
      limits: [
        { name: 'user', quota: 10, windowSeconds: 5, remaining: 0, moreInSeconds: 1, fullInSeconds: 5 },
      ],
    })
  })

  test('grants again after exactly the wait that it named', async () => {
    await using at = await opened()
    const buckets = [bucket()]
    await at.take({ buckets, cost: 10 })
    const { retryAfterMs } = await at.take({ buckets, cost: 5 })
    expect(retryAfterMs).toBe(2500)
    at.clock.nowMs += retryAfterMs - 10
    expect(await at.take({ buckets, cost: 5 })).toMatchObject({ refusedBy: 'user', retryAfterMs: 10 })
    at.clock.nowMs += 10
    expect(await at.take({ buckets, cost: 5 })).toMatchObject({ refusedBy: undefined, retryAfterMs: 0 })
  })

  test('fills up with time, and never above its size', async () => {
    await using at = await opened()
    const buckets = [bucket()]
    await at.take({ buckets, cost: 10 })
    at.clock.nowMs += 2000
    expect((await at.take({ buckets, cost: 0 })).limits).toMatchObject([{ remaining: 4, fullInSeconds: 3 }])
    at.clock.nowMs += 3_600_000
    expect((await at.take({ buckets, cost: 0 })).limits).toMatchObject([{ remaining: 10, fullInSeconds: 0 }])
  })

  test('takes nothing from anybody when one of the limits refuses', async () => {
    await using at = await opened()
    const [wide, narrow] = [bucket({ capacity: 100 }), bucket({ name: 'tool', capacity: 2 })]
    const refusals = []
    for (let call = 0; call < 4; call += 1) {
      refusals.push((await at.take({ buckets: [wide, narrow], slots: [slots(9)] })).refusedBy)
    }
    expect(refusals).toEqual([undefined, undefined, 'tool', 'tool'])
    expect((await at.take({ buckets: [wide], cost: 0 })).limits).toMatchObject([{ remaining: 98 }])
  })

  test('names the limit that keeps a call waiting longest', async () => {
    await using at = await opened()
    const [fast, slow] = [bucket({ name: 'client' }), bucket({ name: 'tool', perSecond: 0.1 })]
    await at.take({ buckets: [fast, slow], cost: 10 })
    expect(await at.take({ buckets: [fast, slow] })).toMatchObject({
      refusedBy: 'tool',
      retryAfterMs: 10_000,
      limits: [
        { name: 'client', moreInSeconds: 1 },
        { name: 'tool', moreInSeconds: 10 },
      ],
    })
  })

  test('counts fractions, so that cheap calls are cheap', async () => {
    await using at = await opened()
    const buckets = [bucket({ capacity: 5 })]
    let granted = 0
    while ((await at.take({ buckets, cost: 0.1 })).refusedBy === undefined) granted += 1
    expect(granted).toBe(50)
  })

  test('lets only so many calls run at once, and the next when one has ended', async () => {
    await using at = await opened()
    const one = slots(2)
    const claims = [1, 2, 3].map(() => claim({ slots: [one] }))
    const verdicts = []
    for (const each of claims) verdicts.push(await at.limiter.take(each))
    expect(verdicts.map(({ refusedBy }) => refusedBy)).toEqual([undefined, undefined, 'client-concurrency'])
    expect(verdicts[2]).toMatchObject({
      retryAfterMs: 1000,
      limits: [{ quota: 2, remaining: 0, windowSeconds: undefined, moreInSeconds: 1 }],
    })
    if (claims[0] !== undefined) at.limiter.release(claims[0])
    await expect.poll(async () => (await at.take({ slots: [one] })).refusedBy).toBe(undefined)
    expect((await at.take({ slots: [one] })).refusedBy).toBe('client-concurrency')
  })

  test('only looks at cost 0', async () => {
    await using at = await opened()
    const [buckets, one] = [[bucket()], slots(1)]
    for (let look = 0; look < 3; look += 1) {
      const { refusedBy, limits } = await at.take({ buckets, slots: [one], cost: 0 })
      expect([refusedBy, ...limits.map(({ remaining }) => remaining)]).toEqual([undefined, 10, 1])
    }
  })

  test('keeps what was taken from buckets when a call has ended', async () => {
    await using at = await opened()
    const buckets = [bucket()]
    const taken = claim({ buckets, slots: [slots(1)], cost: 4 })
    await at.limiter.take(taken)
    at.limiter.release(taken)
    expect((await at.take({ buckets, cost: 0 })).limits).toMatchObject([{ remaining: 6 }])
  })
})

test('in memory a verdict is no promise: the hot path waits for nothing', () => {
  expect(memoryRateLimiter().take(claim({ buckets: [bucket()] }))).toMatchObject({ refusedBy: undefined })
})

test('in memory full buckets are forgotten', () => {
  const clock = new Clock()
  const limiter = memoryRateLimiter(clock.now)
  const reused = bucket({ key: 'reused' })
  limiter.take(claim({ buckets: [reused], cost: 10 }))
  for (let user = 0; user < 10_001; user += 1) {
    clock.nowMs += 1000
    limiter.take(claim({ buckets: [bucket()] }))
  }
  expect(limiter.take(claim({ buckets: [reused], cost: 10 })).refusedBy).toBe(undefined)
})

/** Numbers that look random and are the same in every run. */
function* numbers(seed: number): Generator<number> {
  for (let state = seed; ; state = (state * 48_271) % 2_147_483_647) yield state / 2_147_483_647
}

/** Redis keeps microseconds. */
function rounded(verdict: Verdict): Verdict {
  return { ...verdict, retryAfterMs: Math.round(verdict.retryAfterMs) }
}

describe.skipIf(!canTestRedis)('both limiters', () => {
  test('say exactly the same to a burst of mixed calls', async () => {
    const clock = new Clock()
    const inMemory = memoryRateLimiter(clock.now)
    const { limiter: inRedis, close } = await openRedis({ now: clock.now })
    const random = numbers(7)
    const next = () => random.next().value ?? 0
    const shared = bucket({ name: 'workspace', capacity: 30, perSecond: 7 })
    const tools = [1, 2, 3].map(() => bucket({ name: 'tool', capacity: 12, perSecond: 1.3 }))
    const atOnce = slots(5)
    const running: Claim[] = []
    const different: unknown[] = []
    let refusals = 0
    for (let call = 0; call < 600; call += 1) {
      clock.nowMs += Math.floor(next() * 400)
      const tool = tools[Math.floor(next() * tools.length)]
      const one = claim({
        cost: [0.1, 1, 2, 5][Math.floor(next() * 4)] ?? 1,
        buckets: tool === undefined ? [shared] : [shared, tool],
        slots: [atOnce],
      })
      const [left, right] = [inMemory.take(one), await inRedis.take(one)]
      if (JSON.stringify(rounded(left)) !== JSON.stringify(rounded(right))) different.push([left, right])
      if (left.refusedBy === undefined) running.push(one)
      else refusals += 1
      const ended = next() < 0.6 ? running.shift() : undefined
      if (ended !== undefined) {
        inMemory.release(ended)
        inRedis.release(ended)
      }
    }
    await close()
    expect(different).toEqual([])
    expect(refusals).toBeGreaterThan(100)
    expect(refusals).toBeLessThan(500)
  })
})

describe.skipIf(!canTestRedis)('Redis', () => {
  test('counts the calls of all nodes together, even those that come at the same time', async () => {
    const nodes = await Promise.all([openRedis(), openRedis()])
    const buckets = [bucket({ perSecond: 0.001 })]
    const verdicts = await Promise.all(
      Array.from({ length: 40 }, async (_, call) => nodes[call % 2]?.limiter.take(claim({ buckets }))),
    )
    await Promise.all(nodes.map(({ close }) => close()))
    expect(verdicts.filter((verdict) => verdict?.refusedBy === undefined)).toHaveLength(10)
  })

  test('gives back the slots of a node that died', async () => {
    const { limiter, close } = await openRedis({ leaseMs: 50 })
    const one = slots(1)
    await limiter.take(claim({ slots: [one] }))
    await expect.poll(async () => (await limiter.take(claim({ slots: [one] }))).refusedBy).toBe(undefined)
    await close()
  })

  test('may be away: then a node counts its own calls, and says so once', async () => {
    const server = await startTestRedis()
    const warnings: string[] = []
    const limiter = redisRateLimiter({
      redisUrl: server.url,
      log: { ...log, warn: (_: object, words: string) => void warnings.push(words) },
    })
    await server.stop()
    const buckets = [bucket({ capacity: 3, perSecond: 0.001 })]
    const one = slots(1)
    const verdicts = []
    for (let call = 0; call < 4; call += 1) {
      const each = claim({ buckets, slots: [one] })
      verdicts.push((await limiter.take(each)).refusedBy)
      limiter.release(each)
    }
    await limiter.close()
    expect(verdicts).toEqual([undefined, undefined, undefined, 'user'])
    expect(warnings).toHaveLength(1)
  })
})
