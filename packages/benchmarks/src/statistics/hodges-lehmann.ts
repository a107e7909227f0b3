import { quantile, sortedCopy } from './describe-rounds.ts'
import { EXACT_ROUNDS_MAX, rankSumCounts } from './mann-whitney.ts'
import { normalQuantile } from './normal-distribution.ts'

/** A ratio head ÷ base with the interval that holds the true one with the asked confidence. */
export interface RatioEstimate {
  ratio: number
  low: number
  high: number
}

/** More rounds are represented by so many of their quantiles: 100 × 100 pairs are sorted in a millisecond. */
const PAIRED_ROUNDS_MAX = 100

/**
 * The ratio of the two medians, with the interval of Hodges & Lehmann: order statistics of all ratios of a head round to
 * a base round, on the log scale. It is the Mann–Whitney test turned around (the ratios that it would not reject), so
 * test and interval agree, and a slow round moves it no further than its rank. Where rounds have two humps the ratio of
 * the medians may lie outside; the interval is then widened to hold it.
 * @see Hodges & Lehmann (1963), Annals of Mathematical Statistics 34:598–611; Lehmann (1975), Nonparametrics, 2.3
 */
export function medianRatio(
  base: readonly number[],
  head: readonly number[],
  confidence: number,
): RatioEstimate {
  const [sortedBase, sortedHead] = [sortedCopy(base), sortedCopy(head)]
  const ratio = quantile(sortedHead, 0.5) / quantile(sortedBase, 0.5)
  const differences = pairwiseLogDifferences(thin(sortedBase), thin(sortedHead))
  const outside = pairsOutside(base.length, head.length, confidence) / (base.length * head.length)
  // The share of a whole number of pairs, so what is missing to the next whole number is rounding.
  const at = Math.floor(outside * differences.length + 1e-9)
  const low = Math.exp(differences[at] ?? -Infinity)
  const high = Math.exp(differences[differences.length - 1 - at] ?? Infinity)
  return { ratio, low: Math.min(low, ratio), high: Math.max(high, ratio) }
}

function pairwiseLogDifferences(base: Float64Array, head: Float64Array): Float64Array {
  const differences = new Float64Array(base.length * head.length)
  const logBase = base.map(Math.log)
  const logHead = head.map(Math.log)
  for (let row = 0; row < head.length; row += 1) {
    for (let column = 0; column < base.length; column += 1) {
      differences[row * base.length + column] = (logHead[row] ?? 0) - (logBase[column] ?? 0)
    }
  }
  return differences.toSorted()
}

function thin(sorted: Float64Array): Float64Array {
  if (sorted.length <= PAIRED_ROUNDS_MAX) return sorted
  return Float64Array.from({ length: PAIRED_ROUNDS_MAX }, (_, index) =>
    quantile(sorted, (index + 0.5) / PAIRED_ROUNDS_MAX),
  )
}

/** How many of the pairs lie outside of the interval on each side: the critical value of Mann–Whitney's U. */
function pairsOutside(baseCount: number, headCount: number, confidence: number): number {
  const pairs = baseCount * headCount
  const total = baseCount + headCount
  const tail = (1 - confidence) / 2
  if (total > EXACT_ROUNDS_MAX) {
    return Math.max(0, pairs / 2 - normalQuantile(1 - tail) * Math.sqrt((pairs * (total + 1)) / 12))
  }
  // U counts from 0, so it is the index in the sorted sums. The largest U that the test still rejects:
  const ranks = Array.from({ length: total }, (_, index) => index + 1)
  const counts = [...rankSumCounts(ranks, baseCount)].toSorted(([a], [b]) => a - b)
  const all = counts.reduce((sum, [, count]) => sum + count, 0)
  let critical = -1
  let probability = 0
  for (const [, count] of counts) {
    probability += count / all
    if (probability > tail) break
    critical += 1
  }
  return Math.max(0, critical)
}
