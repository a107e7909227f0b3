import { formatPercent } from '../format-percent.ts'
import { formatQuantity } from '../format-quantity.ts'
import { quantile } from '../statistics/describe-rounds.ts'
import { studentTCdf } from '../statistics/student-t-distribution.ts'
import { describeBaseline } from './baseline.ts'
import type { Baseline } from './baseline.ts'
import { middleOf } from './middle-of.ts'
import { relativeScale } from './relative-scale.ts'

export interface SingleRunOptions {
  /** How often a run of an unchanged benchmark may be called different. Default 0.001. */
  significance?: number
  /** Smaller differences are none. Default 0.5. */
  minEffectPercent?: number
}

/** `too_few_runs`: the history is too short to say anything, and nothing but `sentence` and `runs` is there. */
export type SingleRunVerdict = 'higher' | 'lower' | 'within_noise' | 'too_few_runs'

/** How one run stands against the runs of its baseline; which direction is the worse one is for the caller to know. */
export interface SingleRunJudgement {
  verdict: SingleRunVerdict
  /** Of the history that the run was held against. */
  runs: number
  /** Median of the history, in the unit of the values. */
  baseline?: number
  /** The run against that, in per cent of it; of the typical size of all values where that is 0. */
  changePercent?: number
  /** Robust standard deviation of the history, in per cent. */
  noisePercent?: number
  /** The change in multiples of that noise. */
  timesNoise?: number
  /** How probable a run this far off, to either side, is without a change. */
  pValue?: number
  sentence: string
}

/** With fewer runs a distance of one run in a thousand cannot be told. */
const HISTORY_RUNS_MIN = 10
const HISTORY_RUNS_MAX = 200
/** The part of the history that the tail is taken from, on each side. */
const TAIL_SHARE = 0.1

/**
 * Is one new run different from an unchanged benchmark's history (oldest first)? A single run can only be called
 * different when it lies further out than nearly all runs do, so at 2 % noise it takes about 8 % to be found; what is
 * smaller, `detectNewChange` finds a few runs later.
 *
 * The probability is the larger of two: Student's t with a robust standard deviation, and the history's own tail,
 * continued exponentially from its outermost tenth. The first is right for calm noise, the second for outliers and
 * heavy tails, which a history of a hundred runs shows, but not so far out that they could be counted.
 * @see Pickands (1975), Annals of Statistics 3:119–131, for the exponential tail (shape 0)
 */
export function judgeSingleRun(
  history: readonly number[],
  value: number,
  options: SingleRunOptions = {},
): SingleRunJudgement {
  const { significance = 0.001, minEffectPercent = 0.5 } = options
  const window = history.slice(-HISTORY_RUNS_MAX)
  const runs = window.length
  if (runs < HISTORY_RUNS_MIN) {
    return {
      verdict: 'too_few_runs',
      runs,
      sentence: `The history has ${runs} runs; to judge a single one it takes ${HISTORY_RUNS_MIN}.`,
    }
  }
  const { positions, toPercent, fromPercent } = relativeScale([...window, value])
  const baseline = describeBaseline(positions, 0, runs)
  const position = positions[runs] ?? NaN
  const pValue = tailProbability(baseline, positions, baseline.residualOf(position, runs))
  const step = position - baseline.median
  const isDifferent = pValue <= significance && Math.abs(step) >= fromPercent(minEffectPercent)
  const verdict = isDifferent ? (step > 0 ? 'higher' : 'lower') : 'within_noise'
  const middle = middleOf(window)
  const changePercent = toPercent(step, middle)
  const noisePercent = toPercent(baseline.scale, middle)
  const timesNoise = Math.abs(step) / baseline.scale
  const claims = { higher: 'is higher than', lower: 'is lower than', within_noise: 'is within the noise of' }
  return {
    verdict,
    runs,
    baseline: middle,
    changePercent,
    noisePercent,
    timesNoise,
    pValue,
    sentence:
      `${formatQuantity(value, '')} ${claims[verdict]} the ${runs} runs before: ` +
      `${middle === 0 ? '' : `${formatPercent(changePercent)} `}against their median ${formatQuantity(middle, '')}, ` +
      `${timesNoise.toFixed(1)} times the noise${middle === 0 ? '' : ` of ${noisePercent.toFixed(1)} %`} ` +
      `(${pValue < 0.001 ? 'p < 0.001' : `p = ${pValue.toFixed(3)}`}).`,
  }
}

/** Two-sided, for a residual in scales. */
function tailProbability(baseline: Baseline, positions: Float64Array, residual: number): number {
  const { runs, mean, slopeError } = baseline
  const own = Float64Array.from({ length: runs }, (_, at) => baseline.residualOf(positions[at] ?? 0, at))
  const away = Math.abs(residual - mean)
  // The prediction's own error: of the level, and of the line where there is one.
  const error = Math.sqrt(1 + Math.PI / 2 / runs + (slopeError * (runs / 2)) ** 2)
  const student = 1 - studentTCdf(away / error, runs - 1)
  const sorted = own.map((each) => (residual > mean ? each - mean : mean - each)).toSorted()
  const from = quantile(sorted, 1 - TAIL_SHARE)
  const excesses = sorted.filter((each) => each > from).map((each) => each - from)
  const meanExcess = excesses.reduce((sum, excess) => sum + excess, 0) / excesses.length
  // An exponential whose mean is known from so many excesses only: the predictive tail, which is somewhat heavier.
  const count = excesses.length
  const beyond = away > from ? TAIL_SHARE * (1 + (away - from) / (count * meanExcess)) ** -count : 0
  return Math.min(1, 2 * Math.max(student, count === 0 ? 0 : beyond))
}
