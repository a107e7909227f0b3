import type { Baseline } from './baseline.ts'
import { movingMeans } from './moving-means.ts'

/** A level that so large a share of the stretches of a baseline had is one of its levels. */
const SHARE_OF_STRETCHES = 0.02
/** A stretch no longer than this shows which mode a series is in. */
const MODE_RUNS = 5

/**
 * Is a level that the last `runs` have, `level` scales from the median, one that the baseline had before? Benchmarks
 * switch between modes (where memory happens to lie, which machine of a pool they get), and to come back to one is no
 * change. A level is new when no stretch of as many runs came near it, and hardly any short one did.
 * @param direction 1 where the level is above the baseline's, −1 where it is below
 */
export function wasSeenBefore(baseline: Baseline, level: number, runs: number, direction: 1 | -1): boolean {
  const { residuals, stdev } = baseline
  const height = direction * level
  const stretches = movingMeans(residuals, runs).map((mean) => direction * mean)
  if (stretches.some((stretch) => stretch > height - (0.5 * stdev) / Math.sqrt(runs))) return true
  const modes = movingMeans(residuals, Math.min(runs, MODE_RUNS))
  const near = modes.filter((mode) => direction * mode >= height - 0.6 * stdev)
  return near.length >= SHARE_OF_STRETCHES * residuals.length
}
