import { quantile } from '../statistics/describe-rounds.ts'
import { SCALE_MIN } from './baseline.ts'

/** The most runs that stand together in a block when the noise of means is looked at. */
const BLOCK_RUNS_MAX = 8
const CLIP = 3.5

/** The noise between the runs of a series whose level may change now and then; on its relative scale. */
export interface SeriesNoise {
  /** Robust standard deviation of a run. */
  stdev: number
  /** How many times larger the variance of means is than if each run were on its own, at least 1. */
  inflation: number
  /** The series with values that stand out from their neighbours brought close to them. */
  clipped: Float64Array
}

/**
 * Differences of neighbours show the noise and not the level, so a few changes of level do not matter. Of their sizes
 * the larger of median and 0.8 quantile counts: the median alone misses the smaller of two modes, and outliers in one
 * run of twenty spoil a tenth of the differences. Differences of blocks show in the same way how far runs that stand
 * together deviate together.
 */
export function seriesNoise(positions: Float64Array): SeriesNoise {
  const stdev = Math.max(SCALE_MIN, differenceScale(positions))
  const clipped = clipToNeighbours(positions, CLIP * stdev)
  // Blocks that hold a change show its step: they have to be short where the series is.
  const blockRuns = Math.min(BLOCK_RUNS_MAX, Math.floor(positions.length / 10))
  if (blockRuns < 2) return { stdev, clipped, inflation: 1 }
  const sizes = blockDifferences(clipped, blockRuns).map(Math.abs).toSorted()
  // A quantile below the median, so that it takes changes in more than half of the blocks to spoil it.
  const ofBlocks = quantile(sizes, 0.4) / 0.5244
  // A difference of two means of n runs has the variance 2 σ² / n where runs are on their own.
  const alone = Math.max(SCALE_MIN, differenceScale(clipped)) * Math.sqrt(2 / blockRuns)
  return { stdev, clipped, inflation: Math.max(1, (ofBlocks / alone) ** 2) }
}

function differenceScale(positions: Float64Array): number {
  if (positions.length < 2) return 0
  const sorted = new Float64Array(positions.length - 1)
  for (let at = 0; at < sorted.length; at += 1) {
    sorted[at] = Math.abs((positions[at + 1] ?? 0) - (positions[at] ?? 0))
  }
  // oxlint-disable-next-line unicorn/no-array-sort -- nobody else has it
  sorted.sort()
  return Math.max(quantile(sorted, 0.5) / 0.6745, quantile(sorted, 0.8) / 1.2816) / Math.SQRT2
}

/** No value is further than `reach` from the median of the five around it; a level of three runs or more stays. */
function clipToNeighbours(positions: Float64Array, reach: number): Float64Array {
  const clipped = positions.slice()
  const five = positions.slice(0, 5)
  for (const [index, position] of positions.entries()) {
    const from = Math.max(0, Math.min(positions.length - 5, index - 2))
    let [least, most] = [position, position]
    // One copy for all: asked for every run, and lists of their own were a third of the time.
    for (let at = 0; at < five.length; at += 1) {
      const near = positions[from + at] ?? 0
      five[at] = near
      if (near < least) least = near
      if (near > most) most = near
    }
    // The median is between them: most need no sorting to be known to be near it.
    if (most - least <= reach) continue
    // oxlint-disable-next-line unicorn/no-array-sort -- a copy already
    const middle = quantile(five.sort(), 0.5)
    clipped[index] = Math.max(middle - reach, Math.min(middle + reach, position))
  }
  return clipped
}

/** At every place the mean of the next runs minus the mean of those before. */
function blockDifferences(positions: Float64Array, blockRuns: number): Float64Array {
  const sums = prefixSums(positions)
  return Float64Array.from({ length: positions.length - 2 * blockRuns + 1 }, (_, at) => {
    const [start, middle, end] = [sums[at], sums[at + blockRuns], sums[at + 2 * blockRuns]]
    return ((end ?? 0) - 2 * (middle ?? 0) + (start ?? 0)) / blockRuns
  })
}

/** `sums[i]` is the sum of the first i. */
export function prefixSums(positions: Float64Array): Float64Array {
  const sums = new Float64Array(positions.length + 1)
  for (const [index, position] of positions.entries()) sums[index + 1] = (sums[index] ?? 0) + position
  return sums
}
