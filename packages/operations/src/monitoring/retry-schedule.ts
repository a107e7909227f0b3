const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** After the first attempt, the second, and so on: three days together, as Standard Webhooks proposes. */
const pausesMs = [
  5_000,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  14 * hourMs,
  20 * hourMs,
  24 * hourMs,
]

/** A webhook to which nothing got through for so long is switched off. */
export const switchOffAfterMs = 5 * 24 * hourMs

/**
 * When a message is tried again that was tried so many times before, if this attempt fails as well; null: never. Each
 * pause is longer by up to a tenth, so that what failed together does not come back together. `share` is from 0 to 1.
 */
export function nextAttemptAt(triedBefore: number, now: Date, share = Math.random()): Date | null {
  const pauseMs = pausesMs[triedBefore]
  return pauseMs === undefined ? null : new Date(now.getTime() + pauseMs * (1 + share / 10))
}
