import type { LimitName, LimitState } from '@flamegate/contract'

/** An allowance that is used up by calls and fills up with time. */
export interface Bucket {
  name: LimitName
  /** Whose it is, such as `user:usr_1`. */
  key: string
  /** What fits in: the largest burst. At least the cost of the dearest call. */
  capacity: number
  perSecond: number
}

/** How many calls of somebody may run at once. */
export interface Slots {
  name: LimitName
  key: string
  most: number
}

/** What one call asks for: all of it, or nothing is taken. */
export interface Claim {
  /** Tells this call's slots from those of others. */
  lease: string
  /** Taken from every bucket. 0 only looks, and takes no slots either. */
  cost: number
  buckets: readonly Bucket[]
  slots: readonly Slots[]
}

export interface Verdict {
  /** Undefined when the claim was granted. */
  refusedBy: LimitName | undefined
  /** When the same claim can be granted, if nothing else is taken until then; 0 when it was. */
  retryAfterMs: number
  /** The buckets, then the slots, in the claim's order. */
  limits: readonly LimitState[]
  /** Refused without counting, because the time that an earlier refusal named is not over. Then `limits` has that limit only. */
  wasToldBefore?: boolean
}

/**
 * Counts calls against limits. On one node in memory, which answers at once; on many in Redis, so that they count
 * together. When Redis does not answer, each node counts for itself.
 */
export interface RateLimiter {
  take(claim: Claim): Verdict | Promise<Verdict>
  /** Gives back the slots of a claim that was granted. What it took from buckets stays taken. */
  release(claim: Claim): void
}
