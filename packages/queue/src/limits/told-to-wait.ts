import type { LimitState } from '@flamegate/contract'
import type { Claim, RateLimiter, Verdict } from '@flamegate/operations/ports'

/** Refusals that are over are forgotten when there are this many, and from then on whenever the rest has doubled. */
const fewestToSweep = 10_000

/** What somebody was told: that this much is not there until then. */
interface Told {
  cost: number
  untilMs: number
  state: LimitState
}

/**
 * Holds callers to what they were told. Whoever is to retry in so many seconds, and comes sooner, is refused here in the same words,
 * without a question to the limiter: those who do not wait are many, and each question costs about as much as a small call. What
 * costs less than what was refused is asked for all the same. Slots are not remembered, because they come free at any time.
 * `now` is in milliseconds.
 */
export function tellingOnce(limiter: RateLimiter, now: () => number = Date.now): RateLimiter {
  const told = new Map<string, Told>()
  let sweepAt = fewestToSweep

  function toldBefore({ cost, buckets }: Claim): Verdict | undefined {
    const nowMs = now()
    for (const { name, key } of buckets) {
      const known = told.get(key)
      if (known === undefined || cost < known.cost) continue
      const retryAfterMs = known.untilMs - nowMs
      if (retryAfterMs > 0) {
        const state = { ...known.state, moreInSeconds: Math.ceil(retryAfterMs / 1_000) }
        return { refusedBy: name, retryAfterMs, limits: [state], wasToldBefore: true }
      }
      told.delete(key)
    }
    return undefined
  }

  function remember({ cost, buckets }: Claim, verdict: Verdict): Verdict {
    const index = buckets.findIndex(({ name }) => name === verdict.refusedBy)
    const [bucket, state] = [buckets[index], verdict.limits[index]]
    // At cost 0 somebody only looks.
    if (bucket === undefined || state === undefined || cost === 0) return verdict
    // Seconds are what callers are told.
    const untilMs = now() + Math.ceil(verdict.retryAfterMs / 1_000) * 1_000
    told.set(bucket.key, { cost, untilMs, state })
    forgetOver()
    return verdict
  }

  function forgetOver(): void {
    if (told.size < sweepAt) return
    const nowMs = now()
    for (const [key, { untilMs }] of told) if (untilMs <= nowMs) told.delete(key)
    sweepAt = Math.max(fewestToSweep, 2 * told.size)
  }

  return {
    take(claim) {
      const before = claim.cost === 0 ? undefined : toldBefore(claim)
      if (before !== undefined) return before
      const verdict = limiter.take(claim)
      return verdict instanceof Promise
        ? verdict.then((late) => remember(claim, late))
        : remember(claim, verdict)
    },
    release: (claim) => limiter.release(claim),
  }
}
