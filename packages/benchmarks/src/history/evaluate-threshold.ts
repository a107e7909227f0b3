import { formatQuantity } from '../format-quantity.ts'
import { quantile } from '../statistics/describe-rounds.ts'
import { normalQuantile } from '../statistics/normal-distribution.ts'
import { studentTQuantile } from '../statistics/student-t-distribution.ts'
import { thresholdFault } from './threshold.ts'
import type { Threshold } from './threshold.ts'

/** Where a value stands against a threshold. Limits and baseline are in the unit of the values. */
export interface ThresholdResult {
  /** False where there were too few values, or values of a kind that the test cannot take: then there are no limits. */
  isEvaluated: boolean
  /** The limit that the value went past; a value on the limit is within. */
  crossed?: 'lower' | 'upper'
  /** Mean (`percentage`, `z_score`, `t_test`), geometric mean (`log_normal`) or median (`iqr`, `delta_iqr`). */
  baseline?: number
  lowerLimit?: number
  upperLimit?: number
  /** Of the history that was used. */
  sampleSize: number
  sentence: string
}

/** The level that a test starts from, and how far from it a boundary is, below and above. */
interface Limits {
  baseline: number
  below: (boundary: number) => number
  above: (boundary: number) => number
}

/**
 * Holds a value against what a threshold makes of the values before it (oldest first, without the value itself; which of
 * them lie in its window was decided before). Definitions are Bencher's, so that thresholds can be carried over:
 *
 * | test         | baseline            | limits                                                                        |
 * | ------------ | ------------------- | ----------------------------------------------------------------------------- |
 * | `static`     | none                | the boundaries themselves                                                     |
 * | `percentage` | mean m              | m ∓ b · abs(m)                                                                |
 * | `z_score`    | mean m              | m ∓ s · Φ⁻¹(b), s with divisor n                                              |
 * | `t_test`     | mean m              | m ∓ s · T⁻¹(b; n − 1), s with divisor n                                       |
 * | `log_normal` | g = exp(mean of ln) | upper u(b) = exp(mean + s · Φ⁻¹(b)) of the logarithms; lower 2 g − u(b)       |
 * | `iqr`        | median q₂           | q₂ ∓ b · (q₃ − q₁), quartiles linear between neighbours                       |
 * | `delta_iqr`  | median q₂           | q₂ ∓ b · abs(q₂) · (d₃ − d₁), quartiles of abs(next − last) ÷ abs(last)       |
 *
 * The one difference: a share of a negative mean or median is taken of its size, so that limits do not swap sides.
 * @throws RangeError when the threshold itself is faulty (`thresholdFault`) or a value is not finite
 * @see https://bencher.dev/docs/explanation/thresholds/ and bencherdev/bencher, lib/bencher_boundary
 */
export function evaluateThreshold(
  history: readonly number[],
  value: number,
  threshold: Threshold,
): ThresholdResult {
  const fault = thresholdFault(threshold)
  if (fault !== undefined) throw new RangeError(fault)
  if (![...history, value].every(Number.isFinite)) throw new RangeError('A value is not a finite number')
  const {
    test,
    unit = '',
    lowerBoundary,
    upperBoundary,
    minSampleSize = 1,
    maxSampleSize = Infinity,
  } = threshold
  const sample = maxSampleSize < history.length ? history.slice(-maxSampleSize) : history
  const sampleSize = sample.length
  const limits = test === 'static' ? staticLimits() : sampleLimits(sample, threshold, minSampleSize)
  if (typeof limits === 'string') return { isEvaluated: false, sampleSize, sentence: limits }
  const lowerLimit = lowerBoundary === undefined ? undefined : limits.below(lowerBoundary)
  const upperLimit = upperBoundary === undefined ? undefined : limits.above(upperBoundary)
  if (![lowerLimit ?? 0, upperLimit ?? 0].every(Number.isFinite)) {
    const sentence = `Not evaluated: the limits of ${test} are beyond the largest number there is.`
    return { isEvaluated: false, sampleSize, sentence }
  }
  const crossed = crossedBy(value, lowerLimit, upperLimit)
  return {
    isEvaluated: true,
    ...(crossed && { crossed }),
    ...(test !== 'static' && { baseline: limits.baseline }),
    ...(lowerLimit !== undefined && { lowerLimit }),
    ...(upperLimit !== undefined && { upperLimit }),
    sampleSize,
    sentence: inWords(value, { crossed, lowerLimit, upperLimit, test, sampleSize, unit }),
  }
}

function staticLimits(): Limits {
  return { baseline: NaN, below: (boundary) => boundary, above: (boundary) => boundary }
}

/** Limits, or in words why there are none. */
function sampleLimits(
  sample: readonly number[],
  { test, unit = '' }: Threshold,
  minSampleSize: number,
): Limits | string {
  const leastRuns = test === 'percentage' || test === 'iqr' ? 1 : 2
  const least = Math.max(minSampleSize, leastRuns)
  if (sample.length < least) {
    return `Not evaluated: ${sample.length} values before this one, and ${test} needs ${least}.`
  }
  if (test === 'percentage') {
    const mean = meanOf(sample)
    return around(mean, (share) => share * Math.abs(mean))
  }
  if (test === 'iqr') return interquartileLimits(sample, sample, 1)
  if (test === 'delta_iqr') return deltaLimits(sample)
  if (test === 'log_normal') return logNormalLimits(sample, unit)
  const stdev = populationStdev(sample)
  if (stdev === 0) return constantSample(sample, test, unit)
  const quantileOf =
    test === 'z_score' ? normalQuantile : (share: number) => studentTQuantile(share, sample.length - 1)
  return around(meanOf(sample), (probability) => stdev * quantileOf(probability))
}

function logNormalLimits(sample: readonly number[], unit: string): Limits | string {
  if (sample.some((value) => value <= 0)) {
    return 'Not evaluated: log_normal needs values above zero, and the history has others.'
  }
  const logarithms = sample.map(Math.log)
  const stdev = populationStdev(logarithms)
  if (stdev === 0) return constantSample(sample, 'log_normal', unit)
  const mean = meanOf(logarithms)
  const baseline = Math.exp(mean)
  return around(baseline, (probability) => Math.exp(mean + stdev * normalQuantile(probability)) - baseline)
}

function deltaLimits(sample: readonly number[]): Limits | string {
  const last = sample.slice(0, -1)
  if (last.includes(0)) {
    return 'Not evaluated: delta_iqr divides by the values of the history, and one of them is zero.'
  }
  const deltas = last.map((value, at) => Math.abs(((sample[at + 1] ?? 0) - value) / value))
  return interquartileLimits(sample, deltas, Math.abs(quantile(sample.toSorted(ascending), 0.5)))
}

/** About the median of `sample`, multiples of the interquartile range of `spread`, in units of `unit`. */
function interquartileLimits(sample: readonly number[], spread: readonly number[], unit: number): Limits {
  const sorted = spread.toSorted(ascending)
  const range = (quantile(sorted, 0.75) - quantile(sorted, 0.25)) * unit
  return around(quantile(sample.toSorted(ascending), 0.5), (multiple) => multiple * range)
}

function around(baseline: number, distance: (boundary: number) => number): Limits {
  return {
    baseline,
    below: (boundary) => baseline - distance(boundary),
    above: (boundary) => baseline + distance(boundary),
  }
}

/** A distribution without spread has no limits; to alert on every other value is what percentage and static are for. */
function constantSample([value = NaN]: readonly number[], test: string, unit: string): string {
  return `Not evaluated: all values before this one are ${formatQuantity(value, unit)}, and ${test} needs some spread.`
}

function crossedBy(
  value: number,
  lowerLimit: number | undefined,
  upperLimit: number | undefined,
): 'lower' | 'upper' | undefined {
  if (lowerLimit !== undefined && value < lowerLimit) return 'lower'
  return upperLimit !== undefined && value > upperLimit ? 'upper' : undefined
}

function inWords(
  value: number,
  {
    crossed,
    lowerLimit,
    upperLimit,
    test,
    sampleSize,
    unit,
  }: Pick<ThresholdResult, 'crossed' | 'lowerLimit' | 'upperLimit' | 'sampleSize'> & {
    test: string
    unit: string
  },
): string {
  const shown = (each = NaN) => formatQuantity(each, unit)
  const source = test === 'static' ? 'static' : `${test} over ${sampleSize} values`
  if (crossed === 'lower') return `${shown(value)} is below the lower limit ${shown(lowerLimit)} (${source}).`
  if (crossed === 'upper') return `${shown(value)} is above the upper limit ${shown(upperLimit)} (${source}).`
  const limits = [lowerLimit, upperLimit].filter((limit) => limit !== undefined).map(shown)
  return `${shown(value)} is within ${limits.length === 2 ? limits.join(' to ') : `the limit ${limits[0] ?? ''}`} (${source}).`
}

function populationStdev(numbers: readonly number[]): number {
  // All the same: a mean that is rounded would make a spread of it.
  if (numbers.every((number) => number === numbers[0])) return 0
  const mean = meanOf(numbers)
  return Math.sqrt(meanOf(numbers.map((number) => (number - mean) ** 2)))
}

function meanOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length
}

function ascending(a: number, b: number): number {
  return a - b
}
