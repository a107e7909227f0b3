import type { LimitName, LimitState } from '@flamegate/contract'
import type { Claim, RateLimiter, Verdict } from '@flamegate/operations/ports'
import { bucketState, slackMs, slotState, slotWaitMs, unitMs, windowMs } from './limit-state.ts'

/** Full buckets are forgotten when there are this many, and from then on whenever the rest has doubled. */
const fewestToSweep = 10_000

export interface MemoryRateLimiter extends RateLimiter {
  take(claim: Claim): Verdict
}

/** Counts in this process. Answers at once and never with a promise. `now` is in milliseconds. */
export function memoryRateLimiter(now: () => number = Date.now): MemoryRateLimiter {
  const fullAtMs = new Map<string, number>()
  const inUse = new Map<string, number>()
  let sweepAt = fewestToSweep

  function forgetFull(nowMs: number): void {
    if (fullAtMs.size < sweepAt) return
    for (const [key, fullAt] of fullAtMs) if (fullAt <= nowMs) fullAtMs.delete(key)
    sweepAt = Math.max(fewestToSweep, 2 * fullAtMs.size)
  }

  return {
    take({ cost, buckets, slots }) {
      const nowMs = now()
      let refusedBy: LimitName | undefined
      let retryAfterMs = 0
      const refuse = (name: LimitName, waitMs: number) => {
        if (waitMs <= retryAfterMs) return
        refusedBy = name
        retryAfterMs = waitMs
      }
      const missing = buckets.map(({ key }) => Math.max(0, (fullAtMs.get(key) ?? 0) - nowMs))
      const waits = buckets.map((bucket, index) => {
        const waitMs = (missing[index] ?? 0) + cost * unitMs(bucket) - windowMs(bucket)
        if (waitMs <= slackMs) return 0
        refuse(bucket.name, waitMs)
        return waitMs
      })
      for (const { name, key, most } of slots) {
        if ((inUse.get(key) ?? 0) >= most) refuse(name, slotWaitMs)
      }

      const isTaken = refusedBy === undefined && cost > 0
      const limits: LimitState[] = buckets.map((bucket, index) => {
        const missingMs = (missing[index] ?? 0) + (isTaken ? cost * unitMs(bucket) : 0)
        if (isTaken) fullAtMs.set(bucket.key, nowMs + missingMs)
        return bucketState(bucket, missingMs, waits[index] ?? 0)
      })
      for (const one of slots) {
        const count = (inUse.get(one.key) ?? 0) + (isTaken ? 1 : 0)
        if (isTaken) inUse.set(one.key, count)
        limits.push(slotState(one, count))
      }
      forgetFull(nowMs)
      return { refusedBy, retryAfterMs, limits }
    },

    release({ slots }) {
      for (const { key } of slots) {
        const count = (inUse.get(key) ?? 0) - 1
        if (count > 0) inUse.set(key, count)
        else inUse.delete(key)
      }
    },
  }
}
