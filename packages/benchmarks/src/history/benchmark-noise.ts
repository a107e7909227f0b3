import { quantile } from '../statistics/describe-rounds.ts'
import { findChangePoints } from './find-change-points.ts'
import { middleOf } from './middle-of.ts'
import { relativeScale } from './relative-scale.ts'
import { SEGMENT_RUNS_MIN } from './segment-series.ts'

/** With fewer runs a spread says next to nothing. */
const NOISE_RUNS_MIN = 5

/** With fewer, a change of level is not found as one. */
const CHANGES_RUNS_MIN = 12
/**
 * A step has to be that many times larger than what is left about it. Of 5 runs without any, one in thirty series looks
 * like that by chance; of 8 and more, one in several hundred.
 */
const STEP_FACTOR = 4

/**
 * How much a benchmark varies from run to run when nothing changes: the robust standard deviation of its runs about
 * their own level, in per cent of it. Changes of level are taken out first, and outliers do not count. Undefined with
 * fewer than 5 runs.
 * @param values oldest first, of any size; 200 are plenty
 */
export function benchmarkNoise(values: readonly number[]): number | undefined {
  if (values.length < NOISE_RUNS_MIN) return undefined
  const { positions, toPercent } = relativeScale(values)
  const changes = findChangePoints(values).changePoints.map(({ index }) => index)
  const noise = spreadAbout(positions, changes)
  // A change that is not known as one yet must not pass for noise: everything would pass from then on.
  const aboutOneMore = placesOfOneMore(values.length, changes).map((place) =>
    spreadAbout(positions, [...changes, place]),
  )
  const least = Math.min(noise, ...aboutOneMore)
  return toPercent(least < noise / STEP_FACTOR ? least : noise)
}

/** Where one more change may be that is not found: anywhere in a young history, else among the newest few runs. */
function placesOfOneMore(runs: number, changes: readonly number[]): number[] {
  const isYoung = runs < CHANGES_RUNS_MIN && changes.length === 0
  const first = isYoung ? 2 : Math.max(runs - SEGMENT_RUNS_MIN + 1, (changes.at(-1) ?? 0) + 2)
  return Array.from({ length: Math.max(0, runs - 1 - first) }, (_, at) => first + at)
}

/** The robust standard deviation of runs about the middle of their stretch; `changes` are where stretches begin. */
function spreadAbout(positions: Float64Array, changes: readonly number[]): number {
  const bounds = [0, ...changes, positions.length]
  const deviations = bounds.slice(0, -1).flatMap((start, at) => {
    const segment = positions.subarray(start, bounds[at + 1])
    const middle = middleOf(segment)
    // The median of n runs follows them: their deviations from it are too small by about 1 / n.
    const correction = Math.sqrt(segment.length / (segment.length - 1))
    return [...segment].map((position) => Math.abs(position - middle) * correction)
  })
  const sorted = Float64Array.from(deviations).toSorted()
  // The larger of median and 0.8 quantile, as standard deviations: the median misses the smaller of two modes.
  return Math.max(quantile(sorted, 0.5) / 0.6745, quantile(sorted, 0.8) / 1.2816)
}
