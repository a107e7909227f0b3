import { choices } from '../statistics/choices.ts'
import { studentTCdf, studentTQuantile } from '../statistics/student-t-distribution.ts'
import { OUTLIER, SCALE_MIN, clip, describeBaseline, meanInflation } from './baseline.ts'
import type { Baseline } from './baseline.ts'
import { probabilityBeyond } from './beyond-seen.ts'
import { INTERVAL_CONFIDENCE, changePoint } from './change-point.ts'
import type { ChangePoint } from './change-point.ts'
import { middleOf } from './middle-of.ts'
import { relativeScale } from './relative-scale.ts'
import { wasSeenBefore } from './seen-before.ts'

export interface NewChangeOptions {
  /** Indices of the first runs after the changes that were alerted or accepted before, in any order. */
  knownChanges?: readonly number[]
  /** Smaller changes are none. Default 0.5. */
  minEffectPercent?: number
  /** Of one look, all its lengths together. Default 5e-4, which is calibrated: see `detectNewChange`. */
  significance?: number
  /** Of the values, for the sentence. */
  unit?: string
}

/**
 * How many of the last runs may be the ones after the change, and which share of the significance the t test has for each
 * length. The lengths are looked at after every run, and neighbouring looks share most of their runs. Three runs are few
 * to trust, and what needs more than five is in no hurry, so most is given to four and five. Two are no matter for a t
 * test: they count where the history shows well enough that it never goes that far.
 */
const lengths = [
  { runs: 2, share: 0 },
  { runs: 3, share: 0.25 },
  { runs: 4, share: 1 },
  { runs: 5, share: 1 },
  { runs: 7, share: 0.4 },
  { runs: 10, share: 0.4 },
  { runs: 14, share: 0.25 },
]

/** With fewer runs to stand against, nothing is called a change. */
const BASELINE_RUNS_MIN = 10
/** Long enough to have seen the modes of a series that stays in each for ten or twenty runs. */
const BASELINE_RUNS_MAX = 300
/** To come back to a level after a stay this short is switching, when it happens again. */
const MODE_STAY_RUNS_MAX = 30

export const NEW_CHANGE_SIGNIFICANCE = 5e-4

/**
 * Did a series (oldest first) change within its last few runs, in a way that is not in `knownChanges`? To be asked after
 * every run. It finds nothing within fewer than two runs after a change; for a single run there is `judgeSingleRun`.
 *
 * The last 2 … 14 runs are tested against up to 300 before them (back to the newest known change) with a t test on
 * relative values that allows for what the history shows: outliers (clipped, or counted apart), a skewed spread,
 * neighbours that resemble each other, a slow drift, and levels that were there before. Beside it stands the probability
 * of lying so far out, by how far out the history goes.
 *
 * Calibrated by simulation (`bench/detection`): with the default significance and a history of 100 runs or more it raises
 * at most about one false alarm in 1,000 looks in calm, heavy-tailed, bimodal, autocorrelated (0.5), drifting (0.02 %
 * per run), switching and outlier-ridden noise of 0.5 to 10 %. A mode that was never seen is a change when it first
 * comes.
 */
export function detectNewChange(
  values: readonly number[],
  options: NewChangeOptions = {},
): ChangePoint | undefined {
  const {
    knownChanges = [],
    minEffectPercent = 0.5,
    significance = NEW_CHANGE_SIGNIFICANCE,
    unit = '',
  } = options
  const known = knownChanges.filter((index) => index > 0 && index < values.length).toSorted((a, b) => a - b)
  const from = Math.max(known.at(-1) ?? 0, values.length - BASELINE_RUNS_MAX - 14)
  const recent = values.slice(from)
  const scale = relativeScale(recent)
  const step = scale.fromPercent(minEffectPercent)
  const tests = lengths
    .filter(({ runs }) => recent.length - runs >= BASELINE_RUNS_MIN)
    .flatMap((length) => testLast(scale.positions, length, { step, significance }) ?? [])
  const clearest = tests.toSorted((one, other) => one.pValue - other.pValue)[0]
  if (!clearest) return undefined
  // Clear is also what has some runs before the change among those after it.
  const { index, margin } = tests.reduce((one, other) => (other.gain > one.gain ? other : one))
  const { pValue } = clearest
  const point = changePoint(recent, scale, { start: 0, end: recent.length, unit, index, margin, pValue })
  if (isSwitching(values, known, point)) return undefined
  return { ...point, index: point.index + from, sentence: inWhole(point, from) }
}

/** The sentence of a point that was found in a part of the series which begins at `from`. */
function inWhole({ sentence, index }: ChangePoint, from: number): string {
  return sentence.replace(`From run ${index} on`, `From run ${index + from} on`)
}

interface TestOfLast {
  index: number
  /** How much nearer the last runs are to a level of their own than to the one before; the most where the change is. */
  gain: number
  /** Half of the interval's width, on the relative scale. */
  margin: number
  pValue: number
}

/** The test of the last runs against those before; undefined where it finds no new level. */
function testLast(
  positions: Float64Array,
  { runs, share }: { runs: number; share: number },
  least: { step: number; significance: number },
): TestOfLast | undefined {
  const index = positions.length - runs
  const start = Math.max(0, index - BASELINE_RUNS_MAX)
  const after = positions.subarray(index)
  const direction = leaningOf(positions.subarray(start, index), after, least.step)
  if (direction === undefined) return undefined
  const baseline = describeBaseline(positions, start, index)
  const scores = Array.from(after, (position, at) => baseline.residualOf(position, index - start + at))
  const apart = testApart(positions.subarray(start, index), after, direction)
  const isKnown = () => wasSeenBefore(baseline, meanOf(scores.map(clip)), runs, direction)
  const byMean = testScores(baseline, scores, direction)
  const tests = [
    apart,
    byMean && { ...byMean, pValue: Math.min(1, byMean.pValue / share) },
    testBeyond(baseline, scores, direction),
  ]
  const clearest = tests
    .filter((test) => test !== undefined)
    .toSorted((one, other) => one.pValue - other.pValue)[0]
  if (clearest === undefined || clearest.pValue > least.significance) return undefined
  return apart === undefined && isKnown() ? undefined : { ...clearest, index, gain: gainOf(scores) }
}

/** The sum of the distances from the median of those before, less that from their own median. */
function gainOf(scores: readonly number[]): number {
  const own = middleOf(scores)
  return scores.reduce((sum, score) => sum + Math.abs(score) - Math.abs(score - own), 0)
}

/**
 * Runs that all lie half as far again from the median as any run before did: whatever the noise is, it never did that.
 * The p-value is that of the ranks, that these and no others are the outermost.
 */
function testApart(
  before: Float64Array,
  after: Float64Array,
  direction: 1 | -1,
): Omit<TestOfLast, 'index' | 'gain'> | undefined {
  const middle = middleOf(before)
  const distanceOf = (position: number) => direction * (position - middle)
  const farthest = before.reduce((far, position) => Math.max(far, distanceOf(position)), 0)
  const nearest = after.reduce((near, position) => Math.min(near, distanceOf(position)), Infinity)
  if (nearest <= Math.max(1.5 * farthest, 10 * SCALE_MIN)) return undefined
  const distance = meanOf(Array.from(after, distanceOf))
  return {
    margin: distance - nearest,
    pValue: 2 / choices(before.length + after.length, after.length),
  }
}

/** In which direction the runs after lie, if nearly all lie there and by enough: all of them, or all but one in five. */
function leaningOf(before: Float64Array, after: Float64Array, minStep: number): 1 | -1 | undefined {
  const [from, to] = [middleOf(before), middleOf(after)]
  if (Math.abs(to - from) < minStep) return undefined
  const direction = to > from ? 1 : -1
  const leaning = after.filter((position) => direction * (position - from) > 0).length
  return leaning >= after.length - Math.floor(after.length / 5) ? direction : undefined
}

/** Runs that lie beyond where the history goes, though by less than is needed to stand apart. */
function testBeyond(
  baseline: Baseline,
  scores: readonly number[],
  direction: 1 | -1,
): Omit<TestOfLast, 'index' | 'gain'> | undefined {
  const distances = scores.map((score) => direction * score)
  const outliers = direction > 0 ? baseline.outliersAbove : baseline.outliersBelow
  // Outliers are counted, where there are any: the tail has none.
  if (outliers > 0 && distances.some((distance) => distance > OUTLIER)) return undefined
  // One run alone says nothing: the farthest counts as no farther than the next.
  const [farthest = 0, next = 0] = distances.toSorted((one, other) => other - one)
  const distance = meanOf(distances.map((each) => clip(each === farthest ? next : each)))
  const pValue = probabilityBeyond(baseline, distance, scores.length, direction)
  return pValue === undefined
    ? undefined
    : { margin: marginOf(baseline, scores.length, scores.length), pValue }
}

function testScores(
  baseline: Baseline,
  scores: readonly number[],
  direction: 1 | -1,
): Omit<TestOfLast, 'index' | 'gain'> | undefined {
  const { scale, mean, runs } = baseline
  const far = scores.filter((score) => direction * score > OUTLIER).length
  if (2 * far >= scores.length) {
    const outliers = direction > 0 ? baseline.outliersAbove : baseline.outliersBelow
    return {
      margin: spreadOf(scores) * scale,
      pValue: binomialTail(scores.length, far, (outliers + 1) / (runs + 2)),
    }
  }
  const typical = scores.filter((score) => Math.abs(score) <= OUTLIER).map(clip)
  if (typical.length < 3) return undefined
  const step = meanOf(typical) - mean
  const error = errorOf(baseline, scores.length, typical.length)
  const t = lessSkew(Math.max(0, (direction * step) / error), baseline, typical.length, direction)
  return {
    margin: marginOf(baseline, scores.length, typical.length),
    // Which runs were left out was chosen after looking: any of so many choices would have done.
    pValue: 2 * (1 - studentTCdf(t, degreesOf(baseline))) * choices(scores.length, typical.length),
  }
}

/** Half of the width of the interval of the difference of the two means, on the relative scale. */
function marginOf(baseline: Baseline, runs: number, typicalRuns: number): number {
  const quantile = studentTQuantile((1 + INTERVAL_CONFIDENCE) / 2, degreesOf(baseline))
  return quantile * errorOf(baseline, runs, typicalRuns) * baseline.scale
}

/** Degrees of freedom that the spread of the baseline has. */
function degreesOf({ typicalRuns, correlation, runs }: Baseline): number {
  return Math.max(3, typicalRuns / meanInflation(correlation, runs) - 1)
}

/** Standard error of the difference of the two means, with the line carried on to the middle of the runs after. */
function errorOf(baseline: Baseline, runs: number, typicalRuns: number): number {
  const { correlation, stdev, slopeError } = baseline
  const after = meanInflation(correlation, runs) / typicalRuns
  const before = meanInflation(correlation, baseline.runs) / baseline.typicalRuns
  return Math.sqrt(stdev ** 2 * (after + before) + (slopeError * ((baseline.runs + runs) / 2)) ** 2)
}

/**
 * The mean of a few skewed runs is skewed itself: t is lowered by half of the first term of its Cornish–Fisher
 * expansion (half, because clipping takes the other half), where the skewness is more than chance.
 * @see Johnson (1978), Journal of the American Statistical Association 73:536–544
 */
function lessSkew(t: number, baseline: Baseline, runs: number, direction: 1 | -1): number {
  const skewness = direction * baseline.skewness
  if (t <= 1 || skewness <= 2 * Math.sqrt(6 / baseline.typicalRuns)) return t
  return Math.max(0, t - ((0.5 * skewness) / (6 * Math.sqrt(runs))) * (t * t - 1))
}

/** Does it go back to the level before the last change, in a series that did so before, after short stays? */
function isSwitching(values: readonly number[], known: readonly number[], point: ChangePoint): boolean {
  const bounds = [0, ...known].slice(-3)
  const [first, second, third] = bounds
  if (first === undefined || second === undefined || third === undefined) return false
  if (second - first > MODE_STAY_RUNS_MAX && third - second > MODE_STAY_RUNS_MAX) return false
  const earlier = [values.slice(first, second), values.slice(second, third)].map(middleOf)
  const near = (level: number, other: number) =>
    Math.abs(level - other) < Math.abs(point.after - point.before) / 4
  return near(earlier[0] ?? NaN, point.before) && near(earlier[1] ?? NaN, point.after)
}

/** How probable at least `count` of `runs` are, each with the given probability. */
function binomialTail(runs: number, count: number, probability: number): number {
  let tail = 0
  for (let at = count; at <= runs; at += 1) {
    tail += choices(runs, at) * probability ** at * (1 - probability) ** (runs - at)
  }
  return tail
}

function meanOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length
}

function spreadOf(numbers: readonly number[]): number {
  return (Math.max(...numbers) - Math.min(...numbers)) / 2
}
