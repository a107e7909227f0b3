import { equalSharesP } from './fisher-exact-test.ts'
import { studentTTwoSided } from './student-t-distribution.ts'
import { fitTwoModes } from './two-modes.ts'
import type { TwoModes } from './two-modes.ts'

/** How far the two modes of one sample lie from those of another, on their common scale. */
export interface ModeShift {
  shift: number
  /** Half of the length of the confidence interval of `shift`. */
  margin: number
  /** That there is no shift. */
  pValue: number
  /** Where the mode that more of the numbers are in lies in the first sample. */
  center: number
  /** From the lower mode to the upper one. */
  gap: number
  /** How many numbers of each sample are in the upper mode. */
  upper: [number, number]
}

/** Modes nearer to each other are one, and at least so many standard deviations of one lie between two. */
const GAP_MIN = 0.1
const GAP_STDEVS_MIN = 4
/** In the smaller mode, of both samples together. Fewer are outliers. */
const MODE_MIN = 3
/** Below this probability the samples have their numbers in other modes by more than chance. */
const SHARES_P_MIN = 0.05
/** Of the shifts that are tried. */
const STEP = 0.01
/** Steps from one description without a start from the one before to the next. */
const FRESH_EVERY = 5
/** What is estimated: shift, two centres, a spread and a share. */
const PARAMETERS = 5

/**
 * The shift between two samples of numbers that are each in one of two modes, which have the same chances in both: those
 * of processes that ran in turns, where something else on the machine slows some of them. Both samples are laid over one
 * another with every shift and described by two normal distributions with one spread, and a few strays; the likelihood of
 * the best description tells how good a shift is. So the modes of one sample are compared with those of the other,
 * whichever of them has more numbers in one, and the distance of the modes is no noise.
 * Undefined when there are no two modes, or when the samples differ in how many numbers are in which.
 * @param quantile of Student's t for the confidence asked, by whole degrees of freedom
 * @see Pawitan (2001), In All Likelihood, chapter 3.4 (profile likelihood)
 */
export function modeShift(
  one: readonly number[],
  other: readonly number[],
  quantile: (df: number) => number,
): ModeShift | undefined {
  const count = one.length + other.length
  const df = count - PARAMETERS
  const all = [...one, ...other].toSorted((a, b) => a - b)
  const [lowest = 0, highest = 0] = [all[MODE_MIN - 1], all[count - MODE_MIN]]
  // Most samples are not asked any further.
  if (df < 1 || highest - lowest < GAP_MIN) return undefined
  const range = (all.at(-1) ?? 0) - (all[0] ?? 0)
  const options = { gapMin: GAP_MIN, range }
  const fitAt = (shift: number, near?: TwoModes) => ({
    shift,
    fit: fitTwoModes([...one, ...other.map((number) => number - shift)], options, near),
  })
  const steps = Math.ceil(range / STEP)
  let near: TwoModes | undefined
  const fits = Array.from({ length: 2 * steps + 1 }, (_, at) => {
    const found = fitAt((at - steps) * STEP, at % FRESH_EVERY === 0 ? undefined : near)
    near = found.fit
    return found
  })
  const coarse = best(fits)
  const finer = Array.from({ length: 19 }, (_, at) => coarse.shift + ((at - 9) * STEP) / 10)
  const { shift, fit } = best([coarse, ...finer.map((each) => fitAt(each, coarse.fit))])
  const upper = [one, other.map((number) => number - shift)].map(
    (sample) => sample.filter((number) => Math.abs(number - fit.upper) < Math.abs(number - fit.lower)).length,
  )
  const [upperOne = 0, upperOther = 0] = upper
  const gap = fit.upper - fit.lower
  const smaller = Math.min(upperOne + upperOther, count - upperOne - upperOther)
  if (gap < Math.max(1.01 * GAP_MIN, GAP_STDEVS_MIN * fit.stdev) || smaller < MODE_MIN) return undefined
  if (equalSharesP(upperOne, one.length, upperOther, other.length) < SHARES_P_MIN) return undefined
  // The signed root of a likelihood ratio, with as few degrees of freedom as there are.
  const distanceOf = (from: TwoModes) =>
    Math.sqrt(df * Math.expm1((2 * Math.max(0, fit.logLikelihood - from.logLikelihood)) / count))
  const distances = fits.map((each) => ({ shift: each.shift, distance: distanceOf(each.fit) }))
  const reach = quantile(df)
  return {
    shift,
    margin:
      (farthestWithin(distances.toReversed(), reach, shift) - farthestWithin(distances, reach, shift)) / 2,
    pValue: studentTTwoSided(distanceOf(fitAt(0).fit), df),
    center: fit.upperShare > 0.5 ? fit.upper : fit.lower,
    gap,
    upper: [upperOne, upperOther],
  }
}

interface ShiftDistance {
  shift: number
  distance: number
}

/** Where the distance falls to `reach` for the first time, on the way to the best shift. */
function farthestWithin(distances: readonly ShiftDistance[], reach: number, bestShift: number): number {
  const at = distances.findIndex(({ distance }) => distance <= reach)
  const [outside, inside] = [distances[at - 1], distances[at] ?? { shift: bestShift, distance: 0 }]
  if (outside === undefined) return inside.shift
  const share = (reach - inside.distance) / (outside.distance - inside.distance)
  return inside.shift + share * (outside.shift - inside.shift)
}

function best<T extends { fit: TwoModes }>(fits: readonly T[]): T {
  return fits.reduce((one, other) => (other.fit.logLikelihood > one.fit.logLikelihood ? other : one))
}
