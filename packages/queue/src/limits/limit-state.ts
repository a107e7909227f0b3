import type { LimitState } from '@flamegate/contract'
import type { Bucket, Slots } from '@flamegate/operations/ports'

/**
 * A bucket is kept as one number, the time at which it will be full again: what is missing from it is worth the time
 * until then. (The generic cell rate algorithm, ITU-T I.371, in its virtual scheduling form.)
 */

/** What one unit of a bucket is worth, in milliseconds of filling. */
export function unitMs({ perSecond }: Bucket): number {
  return 1000 / perSecond
}

/** How long an empty bucket takes to fill up. */
export function windowMs(bucket: Bucket): number {
  return bucket.capacity * unitMs(bucket)
}

/** Sums of doubles near 2^41 ms are off by fractions of a microsecond; nobody is refused for that. */
export const slackMs = 0.5

/** Nobody knows when a call of theirs will end; this is soon, and not at once. */
export const slotWaitMs = 1000

/** @param missingMs what is missing, as the time until it is full */
export function bucketState(bucket: Bucket, missingMs: number, waitMs: number): LimitState {
  const unit = unitMs(bucket)
  return {
    name: bucket.name,
    quota: bucket.capacity,
    windowSeconds: Math.ceil(windowMs(bucket) / 1000),
    remaining: Math.max(0, Math.floor((windowMs(bucket) - missingMs + slackMs) / unit)),
    moreInSeconds: Math.ceil((waitMs > 0 ? waitMs : Math.min(missingMs, unit)) / 1000),
    fullInSeconds: Math.ceil(missingMs / 1000),
  }
}

export function slotState(slots: Slots, inUse: number): LimitState {
  const wait = inUse < slots.most ? 0 : slotWaitMs / 1000
  return {
    name: slots.name,
    quota: slots.most,
    windowSeconds: undefined,
    remaining: Math.max(0, slots.most - inUse),
    moreInSeconds: wait,
    fullInSeconds: wait,
  }
}
