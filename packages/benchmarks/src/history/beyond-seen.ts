import { quantile } from '../statistics/describe-rounds.ts'
import type { Baseline } from './baseline.ts'
import { movingMeans } from './moving-means.ts'

/** The share of the stretches of a baseline that its tail is made of. */
const TAIL_SHARE = 0.15
/** From fewer visits nobody knows what a tail looks like. */
const VISITS_MIN = 5

/**
 * How probable it is that the mean of `runs` runs lies `distance` scales from the median, on the side of `direction`,
 * going by how the stretches of the baseline that lie farthest out thin out there. What is above a high quantile is
 * taken as exponential, with a mean that is known from only as many visits as there were, so that the probability of the
 * next is a power. Undefined where the baseline cannot tell.
 *
 * A t test has only the spread of a series. Where that is mostly the distance of two levels between which the series
 * goes back and forth, it says nothing of what lies beyond them, and a few runs there are as good as many.
 * @see Davison and Smith (1990), Journal of the Royal Statistical Society B 52:393–442
 */
export function probabilityBeyond(
  { residuals }: Baseline,
  distance: number,
  runs: number,
  direction: 1 | -1,
): number | undefined {
  const stretches = movingMeans(residuals, runs).map((mean) => direction * mean)
  if (stretches.length === 0) return undefined
  const threshold = quantile(stretches.toSorted(), 1 - TAIL_SHARE)
  let [visits, above, excess, last] = [0, 0, 0, -Infinity]
  for (const [at, stretch] of stretches.entries()) {
    if (stretch <= threshold) continue
    // Stretches that share runs, or come right after, are of one visit.
    if (at - last > runs) visits += 1
    last = at
    above += 1
    excess += stretch - threshold
  }
  if (visits < VISITS_MIN || distance <= threshold) return undefined
  return TAIL_SHARE * (1 + (distance - threshold) / (excess / above) / visits) ** -visits
}
