import type { BenchmarkStats } from '../benchmark-result.ts'

/** The quantile `q` of sorted numbers, linear between neighbours (type 7 of Hyndman & Fan 1996, as R and NumPy do). */
export function quantile(sorted: ArrayLike<number>, q: number): number {
  const position = (sorted.length - 1) * q
  const below = sorted[Math.floor(position)]
  const above = sorted[Math.ceil(position)]
  if (below === undefined || above === undefined) throw new RangeError('A quantile needs at least one number')
  return below + (above - below) * (position - Math.floor(position))
}

/** So few are sorted by insertion: a typed array costs more to make than they cost to sort. */
const INSERTION_MAX = 64

/** Ascending. */
export function sortedCopy(numbers: readonly number[]): number[] {
  if (numbers.length > INSERTION_MAX) return Array.from(new Float64Array(numbers).toSorted())
  const sorted = numbers.slice()
  for (let index = 1; index < sorted.length; index += 1) {
    const number = sorted[index] ?? 0
    let place = index - 1
    for (; place >= 0 && (sorted[place] ?? 0) > number; place -= 1) sorted[place + 1] = sorted[place] ?? 0
    sorted[place + 1] = number
  }
  return sorted
}

export function median(numbers: readonly number[]): number {
  return quantile(sortedCopy(numbers), 0.5)
}

/** min, max, mean, quartiles and sample standard deviation of rounds, each per iteration. */
export function describeRounds(roundValues: readonly number[]): BenchmarkStats {
  const sorted = sortedCopy(roundValues)
  const mean = sorted.reduce((sum, round) => sum + round, 0) / sorted.length
  const squares = sorted.reduce((sum, round) => sum + (round - mean) ** 2, 0)
  return {
    min: quantile(sorted, 0),
    max: quantile(sorted, 1),
    mean,
    median: quantile(sorted, 0.5),
    q1: quantile(sorted, 0.25),
    q3: quantile(sorted, 0.75),
    ...(sorted.length > 1 && { stdev: Math.sqrt(squares / (sorted.length - 1)) }),
    rounds: sorted.length,
  }
}
