import { studentTCdf, studentTQuantile } from '../statistics/student-t-distribution.ts'
import { seededIntervals } from './seeded-intervals.ts'
import { prefixSums } from './series-noise.ts'
import type { SeriesNoise } from './series-noise.ts'

/** Fewer runs are no level. */
export const SEGMENT_RUNS_MIN = 4
/** Degrees of freedom from which on Student's t is the normal distribution. */
const MANY = 1e4

/** A place where the level changes, and the test of the segments on both of its sides. */
export interface Split {
  index: number
  /** Of the means on the relative scale, after minus before, and the standard error of that. */
  step: number
  error: number
  df: number
  pValue: number
}

/** Smaller steps are none; at most this p-value, of the whole series. */
export interface SplitLimits {
  minStep: number
  significance: number
}

/**
 * Divides a series where its level changes. First, candidates: in each of the seeded intervals the place where the means
 * on both sides differ most; of those that are clear enough, those of the shortest intervals win, because these hold one
 * change only. Then, as Hunter does with its weak change points, the least significant is taken out again and again,
 * until every one left is significant by a Student t test between its neighbours.
 * @see Matteson & James (2014), Journal of the American Statistical Association 109:334–345, for the division;
 *   Fleming, Kołaczkowski et al. (2023), Hunter, ICPE '23, for t tests in place of permutations, and for merging;
 *   Baranowski, Chen & Fryzlewicz (2019), Journal of the Royal Statistical Society B 81:649–672, for the shortest
 */
export function segmentSeries(noise: SeriesNoise, limits: SplitLimits): Split[] {
  const { clipped } = noise
  const series = { noise, sums: prefixSums(clipped), squareSums: prefixSums(clipped.map((x) => x * x)) }
  let places = candidates(series, limits)
  for (;;) {
    const splits = places.map((index, at) =>
      testSplit(series, places[at - 1] ?? 0, index, places[at + 1] ?? clipped.length),
    )
    const weakest = splits.reduce<Split | undefined>(
      (weak, split) =>
        weak === undefined || weakness(split, limits) > weakness(weak, limits) ? split : weak,
      undefined,
    )
    if (weakest === undefined || weakness(weakest, limits) <= 0) return splits
    places = relocate(
      series,
      places.filter((index) => index !== weakest.index),
    )
  }
}

interface Series {
  noise: SeriesNoise
  sums: Float64Array
  squareSums: Float64Array
}

/** Above zero where a split is not good enough; the p-value decides, and the size where it is enough. */
function weakness({ pValue, step }: Split, { significance, minStep }: SplitLimits): number {
  if (pValue > significance) return 1 + pValue
  return Math.abs(step) < minStep ? 1 - Math.abs(step) / minStep : 0
}

function candidates({ noise, sums }: Series, { significance }: SplitLimits): number[] {
  const length = noise.clipped.length
  // Of the size that `chance` would let pass; asked once, and not for each of thousands of intervals.
  const critical = studentTQuantile(1 - significance / (2 * length), MANY)
  const least = critical * noise.stdev * Math.sqrt(noise.inflation)
  const found = seededIntervals(length, 2 * SEGMENT_RUNS_MIN)
    .map(({ start, end }) => ({ start, end, ...clearest(sums, start, end) }))
    .filter(({ contrast }) => contrast > least)
    .toSorted((a, b) => a.end - a.start - (b.end - b.start) || b.contrast - a.contrast)
  const places: number[] = []
  for (const { start, end, index } of found) {
    const isFree = places.every((place) => place <= start || place >= end)
    if (isFree && places.every((place) => Math.abs(place - index) >= SEGMENT_RUNS_MIN)) places.push(index)
  }
  return places.toSorted((a, b) => a - b)
}

/** Where the means of [start, index) and [index, end) differ most, in standard errors if the noise were 1. */
function clearest(sums: Float64Array, start: number, end: number): { index: number; contrast: number } {
  const first = sums[start] ?? 0
  const last = sums[end] ?? 0
  const length = end - start
  let index = 0
  const mean = (last - first) / length
  // Squares are compared, with one division: this is asked for every place of thousands of intervals. The difference of
  // the means is length / (left * right) times what the left has more than so many runs have on the mean.
  let largest = 0
  for (let at = start + SEGMENT_RUNS_MIN; at <= end - SEGMENT_RUNS_MIN; at += 1) {
    const left = at - start
    const more = (sums[at] ?? 0) - first - left * mean
    const square = (more * more) / (left * (end - at))
    if (square > largest) {
      index = at
      largest = square
    }
  }
  return { index, contrast: Math.sqrt(largest * length) }
}

/** Each at the best place between its neighbours, one after the other, so that none overtakes the next. */
function relocate({ noise, sums }: Series, places: readonly number[]): number[] {
  const moved: number[] = []
  for (const [at, index] of places.entries()) {
    const { index: better } = clearest(sums, moved.at(-1) ?? 0, places[at + 1] ?? noise.clipped.length)
    moved.push(better || index)
  }
  return moved
}

function testSplit(series: Series, start: number, index: number, end: number): Split {
  const { stdev, inflation, clipped } = series.noise
  const [left, right] = [moments(series, start, index), moments(series, index, end)]
  const step = right.mean - left.mean
  // A few runs that happen to agree are no calmer than half of the series is.
  const variance = (own: number) => Math.max(own, (stdev / 2) ** 2)
  const leftVariance = variance(left.variance) / (index - start)
  const rightVariance = variance(right.variance) / (end - index)
  const error = Math.sqrt(inflation * (leftVariance + rightVariance))
  const welch =
    (leftVariance + rightVariance) ** 2 /
    (leftVariance ** 2 / (index - start - 1) + rightVariance ** 2 / (end - index - 1))
  const df = Math.max(2, welch / inflation)
  return { index, step, error, df, pValue: chance(Math.abs(step) / error, df, clipped.length) }
}

function moments(
  { sums, squareSums }: Series,
  start: number,
  end: number,
): { mean: number; variance: number } {
  const count = end - start
  const mean = ((sums[end] ?? 0) - (sums[start] ?? 0)) / count
  const squares = (squareSums[end] ?? 0) - (squareSums[start] ?? 0)
  return { mean, variance: Math.max(0, squares - count * mean * mean) / (count - 1) }
}

/** Two-sided p-value of the clearest of the places in a series of so many runs (Bonferroni). */
function chance(t: number, df: number, runs: number): number {
  return Math.min(1, 2 * runs * (1 - studentTCdf(t, Math.min(df, MANY))))
}
