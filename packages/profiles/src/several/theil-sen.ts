/** A straight line through points that some outliers do not bend. */
export interface Trend {
  /** Per unit of time. */
  slope: number
  /** The value at time 0. */
  intercept: number
  /** Ends of the interval that has the slope with the confidence asked for; absent when there are too few points for it. */
  low?: number
  high?: number
}

/**
 * The median of the slopes between all pairs of points (Theil 1950, Sen 1968). Its confidence interval is that of Kendall's
 * rank correlation, with the exact distribution: at 95 %, the first with an interval are 5 points.
 * Undefined when no two points differ in time.
 */
export function theilSen(
  times: ArrayLike<number>,
  values: ArrayLike<number>,
  confidence: number,
): Trend | undefined {
  const slopes: number[] = []
  for (let later = 1; later < times.length; later++) {
    for (let earlier = 0; earlier < later; earlier++) {
      const elapsed = times[later]! - times[earlier]!
      if (elapsed !== 0) slopes.push((values[later]! - values[earlier]!) / elapsed)
    }
  }
  if (slopes.length === 0) return undefined
  const sorted = Float64Array.from(slopes).toSorted()
  const slope = medianOfSorted(sorted)
  const intercept = medianOfSorted(
    Float64Array.from(
      { length: times.length },
      (_, point) => values[point]! - slope * times[point]!,
    ).toSorted(),
  )
  const outside = slopesOutside(times.length, (1 - confidence) / 2)
  // Points of the same time make pairs without a slope, so that the distribution is another.
  const isComplete = slopes.length === (times.length * (times.length - 1)) / 2
  if (outside === 0 || !isComplete) return { slope, intercept }
  return { slope, intercept, low: sorted[outside - 1]!, high: sorted[sorted.length - outside]! }
}

/**
 * How many of the sorted slopes may lie outside of the interval, or end it, at each end. The true slope is below the k-th
 * slope as often as a random order of `count` points has fewer than k inversions.
 */
function slopesOutside(count: number, tail: number): number {
  const probabilities = inversionProbabilities(count)
  let outside = 0
  let cumulative = 0
  while (cumulative + (probabilities[outside] ?? 1) <= tail) cumulative += probabilities[outside++]!
  return outside
}

/** How probable each number of inversions is in a random order (the Mahonian numbers over n!). */
function inversionProbabilities(count: number): Float64Array {
  let known = Float64Array.of(1)
  for (let size = 2; size <= count; size++) {
    const next = new Float64Array(known.length + size - 1)
    // A new last element may be put before 0 to size − 1 of the others.
    let window = 0
    for (let inversions = 0; inversions < next.length; inversions++) {
      window += known[inversions] ?? 0
      if (inversions >= size) window -= known[inversions - size] ?? 0
      next[inversions] = Math.max(0, window) / size
    }
    known = next
  }
  return known
}

export function medianOfSorted(sorted: ArrayLike<number>): number {
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}
