import { median, normalCdf } from '@flamegate/benchmarks/arithmetic'

export interface Trend {
  /** Per millisecond: the median of the slopes between all pairs (Theil 1950, Sen 1968), which single values do not move. */
  slope: number
  /** From the first to the last value. */
  growth: number
  /** At the beginning. */
  start: number
  /** Share of the pairs that rise less those that fall: 1 where every value is larger than all before it. */
  tau: number
  /** How probable a rise this clear is without a trend, one-sided (Mann 1945, Kendall). */
  pValue: number
}

/** So many are enough, and all pairs of more are many. */
const POINTS_MAX = 200

export function trendOf(points: readonly { atMs: number; value: number }[]): Trend | undefined {
  const step = Math.ceil(points.length / POINTS_MAX)
  const kept = points.filter((_, at) => at % step === 0)
  const [first, last] = [kept[0], kept.at(-1)]
  if (first === undefined || last === undefined || kept.length < 3 || last.atMs <= first.atMs)
    return undefined
  const slopes: number[] = []
  let score = 0
  for (const [at, one] of kept.entries())
    for (const other of kept.slice(at + 1)) {
      if (other.atMs > one.atMs) slopes.push((other.value - one.value) / (other.atMs - one.atMs))
      score += Math.sign(other.value - one.value)
    }
  const count = kept.length
  const slope = median(slopes)
  const middle = median(kept.map(({ value }) => value))
  const growth = slope * (last.atMs - first.atMs)
  return {
    slope,
    growth,
    start: Math.max(0, middle - growth / 2),
    tau: (2 * score) / (count * (count - 1)),
    pValue: count < 8 ? exactP(score, count) : normalP(score, count),
  }
}

function normalP(score: number, count: number): number {
  const variance = (count * (count - 1) * (2 * count + 5)) / 18
  return 1 - normalCdf((score - Math.sign(score)) / Math.sqrt(variance))
}

/** Of all orders of so few values, the share that has at least so large a score. */
function exactP(score: number, count: number): number {
  // ways[k]: orders with k pairs that fall.
  let ways = [1]
  for (let size = 2; size <= count; size += 1) {
    const next = Array.from({ length: ways.length + size - 1 }, () => 0)
    for (const [falling, number] of ways.entries())
      for (let added = 0; added < size; added += 1)
        next[falling + added] = (next[falling + added] ?? 0) + number
    ways = next
  }
  const pairs = (count * (count - 1)) / 2
  const fallingMax = Math.floor((pairs - score) / 2)
  const total = ways.reduce((sum, number) => sum + number, 0)
  return ways.slice(0, fallingMax + 1).reduce((sum, number) => sum + number, 0) / total
}
