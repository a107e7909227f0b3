import { median as medianOf, quantile } from './describe-rounds.ts'
import { normalQuantile } from './normal-distribution.ts'

/** The median of positive rounds, and how sure it is. */
export interface LogMedian {
  median: number
  /** Of the logarithm of the median, were the rounds independent. */
  logVariance: number
}

/** From here on the binomial distribution is taken as normal. */
const EXACT_ROUNDS_MAX = 1000

/** With fewer rounds the interval would reach from the first to the last, and one slow round would be all of it. */
const RANKED_ROUNDS_MIN = 8

/**
 * The variance of ln(median) without assuming a distribution: of n sorted rounds those about √n places off the middle
 * are a confidence interval of the median, whose exact level the binomial distribution tells; its length over that
 * level's normal quantile is the standard error. Slow rounds move it no further than their rank, and where the median
 * lies between two humps it is as wide as the valley. Fewer than eight rounds have no such ranks; there the error is
 * √(π/2) · 1.4826 · MAD ÷ √n, widened by n ÷ (n − 0.8) because the MAD of few rounds is too small.
 * @param sorted at least two rounds, positive, ascending
 * @see Price & Bonett (2002), Distribution-free confidence intervals for difference and ratio of medians, Journal of
 * Statistical Computation and Simulation 72:119–124; Croux & Rousseeuw (1992), Computational Statistics 1:411–428
 */
export function logMedian(sorted: readonly number[]): LogMedian {
  const count = sorted.length
  if (count < 2) throw new RangeError('A median needs at least two rounds')
  const median = quantile(sorted, 0.5)
  const error = count < RANKED_ROUNDS_MIN ? deviationError(sorted, median) : rankError(sorted)
  return { median, logVariance: error * error }
}

function deviationError(sorted: readonly number[], median: number): number {
  const count = sorted.length
  const deviation = medianOf(sorted.map((round) => Math.abs(round - median))) / median
  return ((Math.sqrt(Math.PI / 2) * 1.4826 * deviation) / Math.sqrt(count)) * (count / (count - 0.8))
}

function rankError(sorted: readonly number[]): number {
  const place = placeOf(sorted.length)
  const [low, high] = [sorted[place - 1] ?? 0, sorted[sorted.length - place] ?? 0]
  return Math.log(high / low) / (2 * scoreOf(sorted.length))
}

/** Counted from 1: the lower of the two rounds that enclose the median. */
function placeOf(count: number): number {
  return Math.max(1, Math.round((count + 1) / 2 - Math.sqrt(count)))
}

const scores = new Map<number, number>()

/** How many standard errors of the median the two rounds are from it. */
function scoreOf(count: number): number {
  const known = scores.get(count)
  if (known !== undefined) return known
  const place = placeOf(count)
  const score =
    count > EXACT_ROUNDS_MAX
      ? (count + 1 - 2 * place) / Math.sqrt(count)
      : normalQuantile(1 - fewerThan(place, count))
  if (count <= EXACT_ROUNDS_MAX) scores.set(count, score)
  return score
}

/** P(fewer than `limit` heads in `tosses` of a fair coin). */
function fewerThan(limit: number, tosses: number): number {
  let ways = 0.5 ** tosses
  let sum = 0
  for (let heads = 0; heads < limit; heads += 1) {
    sum += ways
    ways *= (tosses - heads) / (heads + 1)
  }
  return sum
}
