import { quantile, sortedCopy } from './describe-rounds.ts'
import { normalQuantile } from './normal-distribution.ts'

/** A ratio head ÷ base with the interval that holds the true one with the asked confidence. */
export interface RatioEstimate {
  ratio: number
  low: number
  high: number
}

/**
 * The ratio of two medians with a distribution-free interval: the standard error of each log median is taken from the
 * distance of two order statistics, then both are combined. Unlike a bootstrap it needs no random numbers, and unlike
 * the Hodges–Lehmann shift its centre is the ratio of the two medians that a reader sees.
 * @see Price & Bonett (2002), Distribution-free confidence intervals for difference and ratio of medians,
 *   Journal of Statistical Computation and Simulation 72:119–124
 */
export function medianRatio(
  base: readonly number[],
  head: readonly number[],
  confidence: number,
): RatioEstimate {
  const baseMedian = logMedian(base)
  const headMedian = logMedian(head)
  const difference = headMedian.center - baseMedian.center
  const margin = normalQuantile((1 + confidence) / 2) * Math.hypot(baseMedian.error, headMedian.error)
  return {
    ratio: Math.exp(difference),
    low: Math.exp(difference - margin),
    high: Math.exp(difference + margin),
  }
}

function logMedian(rounds: readonly number[]): { center: number; error: number } {
  const sorted = sortedCopy(rounds)
  const rank = Math.max(1, Math.round((sorted.length + 1) / 2 - Math.sqrt(sorted.length)))
  const low = sorted[rank - 1] ?? 0
  const high = sorted[sorted.length - rank] ?? 0
  const width = 2 * normalQuantile(1 - outsideShare(sorted.length, rank))
  return { center: Math.log(quantile(sorted, 0.5)), error: Math.log(high / low) / width }
}

/** P(Binomial(n, ½) < rank): how often the true median lies below the order statistic of that rank. */
function outsideShare(count: number, rank: number): number {
  let logProbability = count * Math.log(0.5)
  let share = 0
  for (let below = 0; below < rank; below += 1) {
    share += Math.exp(logProbability)
    logProbability += Math.log((count - below) / (below + 1))
  }
  return share
}
