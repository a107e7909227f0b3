import type { Instrument } from './benchmark-result.ts'
import type { MeasuredPair, MeasuredValue, SpreadKind } from './measured-spread.ts'
import type { NoiseBetweenRuns } from './run-noise.ts'
import { studentTTwoSided } from './statistics/student-t-distribution.ts'

/** The ratio head ÷ base of one benchmark, on the scale of natural logarithms, and how sure it is. */
export interface EffectSize {
  base: MeasuredValue
  head: MeasuredValue
  logRatio: number
  /** Half the length of the confidence interval around `logRatio`. */
  margin: number
  /** The part of `margin` that was measured, by rounds or history, and not assumed. */
  measuredMargin: number
  /** Absent when nothing can be tested: the margin is then a guess, or the result is deterministic. */
  pValue?: number
  /** Nothing speaks against the bare difference: it counts without a test. */
  isDeterministic: boolean
  /** Where the interval comes from, in words. */
  method: string
}

/**
 * The variance of the difference of two logarithms has four parts: the error within each run, by its rounds, and twice
 * the noise between runs (see `noiseBetweenRuns`). Their sum is distributed like Student's t with the degrees of freedom
 * of Satterthwaite (1946), rounded down; interval and p-value both come from it and so agree. On the scale of logarithms
 * base and head can be swapped, and no unit matters.
 * @param between what the value of one run differs by from another's
 * @param quantile of Student's t for the confidence asked, by whole degrees of freedom
 */
export function effectSize(
  pair: MeasuredPair,
  instrument: Instrument,
  between: NoiseBetweenRuns,
  quantile: (df: number) => number,
): EffectSize {
  const within = pair.base.logVariance + pair.head.logVariance
  const total = within + 2 * between.logVariance
  const df = degreesOfFreedom(pair, between, total)
  const logRatio = Math.log(pair.head.value / pair.base.value)
  const isDeterministic = instrument === 'simulation' && within === 0 && !between.isFromHistory
  const isGuess = pair.kind === 'deviationAlone' && !between.isFromHistory
  const measured = between.isFromHistory ? total : within
  return {
    base: pair.base,
    head: pair.head,
    logRatio,
    margin: quantile(df) * Math.sqrt(total),
    measuredMargin: quantile(df) * Math.sqrt(measured),
    pValue: isDeterministic || isGuess ? undefined : pValueOf(logRatio, total, df),
    isDeterministic,
    method: isDeterministic
      ? 'simulated and so deterministic: not tested'
      : `${describeSpread(pair)} and ${between.words}${isGuess ? ', so not tested' : ''}`,
  }
}

function degreesOfFreedom({ base, head }: MeasuredPair, between: NoiseBetweenRuns, total: number): number {
  if (total === 0) return 1
  const parts =
    base.logVariance ** 2 / base.df +
    head.logVariance ** 2 / head.df +
    (2 * between.logVariance) ** 2 / between.df
  // Rounded down, which only widens; beyond a thousand it makes no difference.
  return Math.max(1, Math.min(1000, Math.floor(total ** 2 / parts + 1e-9)))
}

function pValueOf(logRatio: number, variance: number, df: number): number {
  if (variance === 0) return logRatio === 0 ? 1 : 0
  return studentTTwoSided(logRatio / Math.sqrt(variance), df)
}

function describeSpread({ kind, base, head }: MeasuredPair): string {
  const spreads: Record<SpreadKind, string> = {
    processes: 'the differences between the processes of each run',
    rounds: `the medians of ${base.df + 1} and ${head.df + 1} rounds`,
    deviation: `Welch's t over ${base.df + 1} and ${head.df + 1} rounds`,
    quartiles: `the quartiles of ${base.df + 1} and ${head.df + 1} rounds`,
    bounds: "the tool's own bounds, taken as 95 %",
    deviationAlone: 'a deviation of an unknown number of rounds',
    none: 'single values without a spread',
  }
  return spreads[kind]
}
