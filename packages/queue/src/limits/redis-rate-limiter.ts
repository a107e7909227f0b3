import { hash } from 'node:crypto'
import type { Claim, RateLimiter, Verdict } from '@flamegate/operations/ports'
import { Redis } from 'ioredis'
import type { QueueLog } from '../queue-log.ts'
import { bucketState, slackMs, slotState, slotWaitMs, unitMs, windowMs } from './limit-state.ts'
import { memoryRateLimiter } from './memory-rate-limiter.ts'
import { takeScript } from './take-script.ts'

export interface RedisLimiterOptions {
  redisUrl: string
  log: QueueLog
  /** The server's clock when left out. */
  now?: () => number
  /** How long a slot is kept for a call whose process died; calls end within a minute. */
  leaseMs?: number
}

/** A limiter must not take longer than what it guards. */
const answerWithinMs = 250
const complainEveryMs = 60_000
const prefix = 'flamegate:limits:'
const scriptName = hash('sha1', takeScript)

/** Counts in Redis, together with all other nodes; in this process for as long as Redis does not answer. */
export function redisRateLimiter(options: RedisLimiterOptions): RateLimiter & { close(): Promise<void> } {
  const { log, leaseMs = 120_000 } = options
  const redis = new Redis(options.redisUrl, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: answerWithinMs,
    connectTimeout: 5_000,
  })
  const alone = memoryRateLimiter(options.now)
  const grantedAlone = new WeakSet<Claim>()
  let complainedAtMs = -Infinity

  function complain(err: unknown): void {
    if (performance.now() - complainedAtMs < complainEveryMs) return
    complainedAtMs = performance.now()
    log.warn({ err }, 'Redis does not count calls; this node counts its own')
  }
  // Refused commands say the same where they were sent; without a listener this would be thrown.
  redis.on('error', complain)

  async function takeTogether(claim: Claim): Promise<Verdict> {
    const { buckets, slots } = claim
    const keys = [...buckets, ...slots].map(({ key }) => prefix + key)
    const values = [
      options.now?.() ?? '',
      claim.lease,
      claim.cost,
      leaseMs,
      slackMs,
      slotWaitMs,
      buckets.length,
      ...buckets.flatMap((bucket) => [unitMs(bucket), windowMs(bucket)]),
      ...slots.map(({ most }) => most),
    ]
    const answer: unknown = await redis
      .evalsha(scriptName, keys.length, ...keys, ...values)
      .catch((error) => {
        // The server was started anew, or never saw the script.
        if (String(error).includes('NOSCRIPT')) return redis.eval(takeScript, keys.length, ...keys, ...values)
        throw error
      })
    return verdictOf(claim, readNumbers(answer))
  }

  return {
    async take(claim) {
      try {
        return await takeTogether(claim)
      } catch (error) {
        complain(error)
        const verdict = alone.take(claim)
        if (verdict.refusedBy === undefined) grantedAlone.add(claim)
        return verdict
      }
    },

    release(claim) {
      if (grantedAlone.has(claim)) return alone.release(claim)
      if (claim.slots.length === 0) return
      const pipeline = redis.pipeline()
      for (const { key } of claim.slots) pipeline.zrem(prefix + key, claim.lease)
      // Nobody waits for it: a slot that is not given back now comes free when its lease ends.
      void pipeline.exec().catch(complain)
    },

    async close() {
      redis.disconnect()
    },
  }
}

function readNumbers(answer: unknown): number[] {
  const numbers = Array.isArray(answer) ? answer.map(Number) : []
  if (numbers.length < 2 || numbers.some(Number.isNaN)) throw new TypeError('Redis did not answer in numbers')
  return numbers
}

function verdictOf({ buckets, slots }: Claim, [refused = 0, retryAfterMs = 0, ...rest]: number[]): Verdict {
  const limits = [
    ...buckets.map((bucket, index) => bucketState(bucket, rest[2 * index] ?? 0, rest[2 * index + 1] ?? 0)),
    ...slots.map((one, index) => slotState(one, rest[2 * buckets.length + index] ?? 0)),
  ]
  return { refusedBy: limits[refused - 1]?.name, retryAfterMs, limits }
}
