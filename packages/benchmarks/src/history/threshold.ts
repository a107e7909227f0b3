/** The tests that a threshold may use; their names and definitions are those of Bencher. */
export const thresholdTests = [
  'static',
  'percentage',
  'z_score',
  't_test',
  'log_normal',
  'iqr',
  'delta_iqr',
] as const
export type ThresholdTest = (typeof thresholdTests)[number]

/**
 * Limits to hold new values against. What a boundary means depends on the test; see `evaluateThreshold`:
 * - `static`: the limit itself, in the unit of the values
 * - `percentage`: a share of the mean: 0.1 is ten per cent
 * - `z_score`, `t_test`, `log_normal`: a cumulative probability from 0.5 to below 1, for the lower side too
 * - `iqr`, `delta_iqr`: a multiple of the interquartile range
 */
export interface Threshold {
  test: ThresholdTest
  lowerBoundary?: number
  upperBoundary?: number
  /** With fewer values nothing is evaluated. */
  minSampleSize?: number
  /** Of more values only the newest count. */
  maxSampleSize?: number
  /** Of the values, for the sentence. */
  unit?: string
}

/** Why a threshold cannot be what it is, or undefined where it can. */
export function thresholdFault({
  test,
  lowerBoundary,
  upperBoundary,
  minSampleSize,
  maxSampleSize,
}: Threshold): string | undefined {
  const boundaries = [lowerBoundary, upperBoundary].filter((boundary) => boundary !== undefined)
  if (boundaries.length === 0) return 'A threshold needs a lower boundary, an upper one, or both.'
  if (boundaries.some((boundary) => !Number.isFinite(boundary))) return 'A boundary must be a finite number.'
  if (isProbability(test) && boundaries.some((boundary) => boundary < 0.5 || boundary >= 1)) {
    return `A boundary of ${test} is a cumulative probability: at least 0.5, and below 1.`
  }
  if (test !== 'static' && boundaries.some((boundary) => boundary < 0)) {
    return `A boundary of ${test} cannot be negative; the lower one is taken off, the upper one added.`
  }
  if (test === 'static' && lowerBoundary !== undefined && upperBoundary !== undefined) {
    if (lowerBoundary > upperBoundary) return 'The lower boundary lies above the upper one.'
  }
  if (
    [minSampleSize, maxSampleSize].some(
      (size) => size !== undefined && !(Number.isInteger(size) && size >= 1),
    )
  ) {
    return 'A sample size is a whole number, 1 or more.'
  }
  return minSampleSize !== undefined && maxSampleSize !== undefined && minSampleSize > maxSampleSize
    ? 'The least sample size is above the greatest.'
    : undefined
}

function isProbability(test: ThresholdTest): boolean {
  return test === 'z_score' || test === 't_test' || test === 'log_normal'
}
