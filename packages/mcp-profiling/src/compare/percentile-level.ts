import { countOf, percentileOf } from '@flamegate/series'
import type { Histogram } from '@flamegate/series'
import type { SeriesLevel } from './series-level.ts'

/** A percentile with fewer values on its rarer side is one of chance. */
const BEYOND_MIN = 10

/**
 * A percentile of a histogram as a level: the values whose ranks lie one and two standard errors of the binomial
 * distribution around it tell how sure it is, without assuming a distribution (Hahn & Meeker, Statistical Intervals,
 * chapter 5). Undefined where fewer than ten values lie beyond.
 * @param designEffect how many times the variance is what it would be if calls were independent of each other
 */
export function percentileLevel(
  histogram: Histogram,
  percent: number,
  designEffect: number,
): SeriesLevel | undefined {
  const count = countOf(histogram)
  const share = percent / 100
  const effective = count / designEffect
  if (effective * Math.min(share, 1 - share) < BEYOND_MIN) return undefined
  const step = 100 * Math.sqrt((share * (1 - share)) / effective)
  const at = (place: number) =>
    Math.log(Math.max(1, percentileOf(histogram, Math.min(100, Math.max(0, place))) ?? 1))
  const logValue = at(percent)
  // The wider side counts for both, because the tail is long on one side.
  const error = Math.max(
    at(percent + step) - logValue,
    logValue - at(percent - step),
    (at(percent + 2 * step) - at(percent - 2 * step)) / 4,
  )
  return {
    logValue,
    variance: error ** 2,
    slowVariance: 0,
    df: Math.max(BEYOND_MIN, Math.floor(effective * Math.min(share, 1 - share))),
  }
}
