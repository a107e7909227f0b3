import { quantile } from '../statistics/describe-rounds.ts'
import { findChangePoints } from './find-change-points.ts'
import { middleOf } from './middle-of.ts'
import { relativeScale } from './relative-scale.ts'

/** With fewer runs a spread says next to nothing. */
const NOISE_RUNS_MIN = 5

/**
 * How much a benchmark varies from run to run when nothing changes: the robust standard deviation of its runs about
 * their own level, in per cent of it. Changes of level are taken out first, and outliers do not count. Undefined with
 * fewer than 5 runs.
 * @param values oldest first, of any size; 200 are plenty
 */
export function benchmarkNoise(values: readonly number[]): number | undefined {
  if (values.length < NOISE_RUNS_MIN) return undefined
  const { positions, toPercent } = relativeScale(values)
  const bounds = [0, ...findChangePoints(values).changePoints.map(({ index }) => index), values.length]
  const deviations = bounds.slice(0, -1).flatMap((start, at) => {
    const segment = positions.subarray(start, bounds[at + 1])
    const middle = middleOf(segment)
    // The median of n runs follows them: their deviations from it are too small by about 1 / n.
    const correction = Math.sqrt(segment.length / (segment.length - 1))
    return [...segment].map((position) => Math.abs(position - middle) * correction)
  })
  const sorted = Float64Array.from(deviations).toSorted()
  // The larger of median and 0.8 quantile, as standard deviations: the median misses the smaller of two modes.
  return toPercent(Math.max(quantile(sorted, 0.5) / 0.6745, quantile(sorted, 0.8) / 1.2816))
}
