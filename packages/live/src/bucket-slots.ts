import type { LiveDistribution } from './push.ts'
import { slotOf } from './slots.ts'

/** Values of a histogram that was made elsewhere: so many, above `from` and up to `to`. */
export interface Bucket {
  from: number
  to: number
  count: number
}

/** So many values stand for those of a bucket, as far apart from each other. */
const steps = 8

/**
 * Buckets as counts of our slots, as if the values of each were spread evenly over it; counts may be fractions. In the last bucket,
 * which is open above, all values are taken for the smallest.
 */
export function bucketSlots(buckets: readonly Bucket[]): NonNullable<LiveDistribution['histogram']> {
  const counts = new Map<number, number>()
  for (const { from, to, count } of buckets) {
    if (!(count > 0)) continue
    const low = Math.max(0, from)
    const width = Math.max(0, Number.isFinite(to) ? to - low : 0)
    for (let step = 0; step < steps; step++) {
      const slot = slotOf(low + (width * (step + 0.5)) / steps)
      counts.set(slot, (counts.get(slot) ?? 0) + count / steps)
    }
  }
  const sorted = [...counts].toSorted(([a], [b]) => a - b)
  return { slots: sorted.map(([slot]) => slot), counts: sorted.map(([, count]) => count) }
}

/** Buckets between rising bounds, of which there is one more: below the first, and above the last. */
export function boundedBuckets(bounds: readonly number[], counts: readonly number[]): Bucket[] {
  return counts.map((count, index) => ({
    from: bounds[index - 1] ?? 0,
    to: bounds[index] ?? Infinity,
    count,
  }))
}
