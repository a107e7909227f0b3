import type { BenchmarkStats } from '../benchmark-report.ts'

/** The quantile `q` of sorted numbers, linear between neighbours (type 7 of Hyndman & Fan 1996, as R and NumPy do). */
export function quantile(sorted: ArrayLike<number>, q: number): number {
  const position = (sorted.length - 1) * q
  const below = sorted[Math.floor(position)]
  const above = sorted[Math.ceil(position)]
  if (below === undefined || above === undefined) throw new RangeError('A quantile needs at least one number')
  return below + (above - below) * (position - Math.floor(position))
}

export function sortedCopy(numbers: readonly number[]): Float64Array {
  return Float64Array.from(numbers).toSorted()
}

export function median(numbers: readonly number[]): number {
  return quantile(sortedCopy(numbers), 0.5)
}

/** Median absolute deviation from the median, not scaled. */
export function medianAbsoluteDeviation(numbers: readonly number[]): number {
  const middle = median(numbers)
  return median(numbers.map((number) => Math.abs(number - middle)))
}

/** min, max, mean, quartiles and sample standard deviation of rounds, each in ns per iteration. */
export function describeRounds(roundsNs: readonly number[]): BenchmarkStats {
  const sorted = sortedCopy(roundsNs)
  const meanNs = sorted.reduce((sum, round) => sum + round, 0) / sorted.length
  const squares = sorted.reduce((sum, round) => sum + (round - meanNs) ** 2, 0)
  return {
    minNs: quantile(sorted, 0),
    maxNs: quantile(sorted, 1),
    meanNs,
    medianNs: quantile(sorted, 0.5),
    q1Ns: quantile(sorted, 0.25),
    q3Ns: quantile(sorted, 0.75),
    ...(sorted.length > 1 && { stdevNs: Math.sqrt(squares / (sorted.length - 1)) }),
    rounds: sorted.length,
  }
}
