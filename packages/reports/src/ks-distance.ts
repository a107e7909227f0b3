import { countOf, type Histogram } from '@flamegate/series'

/**
 * How far two distributions are apart, from 0 to 1: the largest difference of their shares below any value (Kolmogorov and Smirnov).
 * An effect size; it is not tested, for among so many requests any difference is significant.
 */
export function ksDistance(a: Histogram, b: Histogram): number | null {
  const [countA, countB] = [countOf(a), countOf(b)]
  if (countA === 0 || countB === 0) return null
  let [left, right, below, distance] = [0, 0, 0, 0]
  while (left < a.slots.length || right < b.slots.length) {
    const slot = Math.min(a.slots[left] ?? Infinity, b.slots[right] ?? Infinity)
    if (a.slots[left] === slot) below += (a.counts[left++] ?? 0) / countA
    if (b.slots[right] === slot) below -= (b.counts[right++] ?? 0) / countB
    distance = Math.max(distance, Math.abs(below))
  }
  return distance
}
