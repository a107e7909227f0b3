/** The mean of numbers without the outer fifths, and how sure it is. */
export interface TrimmedMean {
  mean: number
  /** Of the mean. */
  variance: number
  df: number
}

const TRIMMED_SHARE = 0.2

/**
 * A fifth is left out at either end, so that single numbers far off move neither the mean nor its error, which comes from
 * the winsorized numbers. Mean over error is distributed like Student's t.
 * @param sorted ascending, at least two
 * @see Yuen (1974), The two-sample trimmed t for unequal population variances, Biometrika 61:165–170; Wilcox (2012),
 * Introduction to Robust Estimation and Hypothesis Testing, chapter 5.9 for pairs
 */
export function trimmedMean(sorted: readonly number[]): TrimmedMean {
  const count = sorted.length
  const cut = Math.floor(TRIMMED_SHARE * count)
  const core = sorted.slice(cut, count - cut)
  const kept = core.length
  if (kept < 2) throw new RangeError('A trimmed mean needs at least two numbers')
  const [low = 0, high = 0] = [core[0], core[kept - 1]]
  const winsorized = sorted.map((number) => Math.min(high, Math.max(low, number)))
  const middle = meanOf(winsorized)
  const squares = winsorized.reduce((sum, number) => sum + (number - middle) ** 2, 0)
  return { mean: meanOf(core), variance: squares / (kept * (kept - 1)), df: kept - 1 }
}

function meanOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length
}
