import type { BenchmarkResult } from './benchmark-result.ts'
import { quantile, sortedCopy } from './statistics/describe-rounds.ts'
import { logMedian } from './statistics/log-median.ts'
import { trimmedMean } from './statistics/trimmed-mean.ts'

/** What one run alone tells of a value and of how sure it is. */
export interface MeasuredValue {
  /** Positive, in the unit of the result. */
  value: number
  statistic: string
  /** Variance of ln(value) by the spread within the run; 0 where the run tells none. */
  logVariance: number
  df: number
  /** Variance of ln(value) that the run must have but does not tell; a history of runs shows it. */
  untoldVariance: number
  /** Standard deviation of one round, or of one process, as a share of the value; absent where the run tells none. */
  roundSpread?: number
}

/** The two sides of a comparison, both described by the same statistic of the same kind of spread. */
export interface MeasuredPair {
  base: MeasuredValue
  head: MeasuredValue
  kind: SpreadKind
}

export type SpreadKind =
  | 'processes'
  | 'rounds'
  | 'deviation'
  | 'quartiles'
  | 'bounds'
  | 'deviationAlone'
  | 'none'

/** With fewer processes a fifth at either end cannot be left out. */
export const PROCESSES_MIN = 5
/** With fewer rounds the order statistics say nothing about the median. */
const RANKED_ROUNDS_MIN = 4
/** For a normal distribution the quartiles are this many standard deviations apart. */
const QUARTILES_PER_STDEV = 1.349
/** Bounds that a tool states without their level are taken as an interval of 95 %. */
const STATED_BOUNDS_SCORE = 1.96
/** Of a spread that is taken as known. */
const DF_OF_STATED = 1000
/** The error of a single measurement by the clock, of which no spread is told: as large as that between runs. */
const UNTOLD_STDEV = 0.02

type Reader = (result: BenchmarkResult) => MeasuredValue | undefined

/** From the most that a file can tell to the least. */
const readers: [SpreadKind, Reader][] = [
  ['processes', fromProcesses],
  ['rounds', fromRounds],
  ['deviation', fromDeviation],
  ['quartiles', fromQuartiles],
  ['bounds', fromBounds],
  ['deviationAlone', fromDeviationAlone],
]

/** Reads both sides in the best way that both allow. Their values must be positive. */
export function measuredPair(base: BenchmarkResult, head: BenchmarkResult): MeasuredPair {
  for (const [kind, read] of readers) {
    const [ofBase, ofHead] = [read(base), read(head)]
    if (ofBase && ofHead) return { base: ofBase, head: ofHead, kind }
  }
  return { base: valueAlone(base), head: valueAlone(head), kind: 'none' }
}

/** By the differences between processes, which hold those between rounds. */
export function fromProcesses({ processValues = [] }: BenchmarkResult): MeasuredValue | undefined {
  const sorted = sortedCopy(processValues.filter((value) => value !== null))
  if (sorted.length < PROCESSES_MIN || !((sorted[0] ?? 0) > 0)) return undefined
  const { mean, variance, df } = trimmedMean(sorted.map(Math.log))
  return {
    value: Math.exp(mean),
    statistic: 'trimmed mean',
    logVariance: variance,
    df,
    untoldVariance: 0,
    roundSpread:
      (quantile(sorted, 0.75) - quantile(sorted, 0.25)) / QUARTILES_PER_STDEV / quantile(sorted, 0.5),
  }
}

function fromRounds({ roundValues }: BenchmarkResult): MeasuredValue | undefined {
  if (!roundValues || roundValues.length < RANKED_ROUNDS_MIN) return undefined
  const sorted = sortedCopy(roundValues)
  if (!((sorted[0] ?? 0) > 0)) return undefined
  const { median, logVariance } = logMedian(sorted)
  return {
    value: median,
    statistic: 'median',
    logVariance,
    df: sorted.length - 1,
    untoldVariance: 0,
    roundSpread: (quantile(sorted, 0.75) - quantile(sorted, 0.25)) / QUARTILES_PER_STDEV / median,
  }
}

/** The variance of ln(mean) by the delta method, (stdev ÷ mean)² ÷ rounds: Welch's t for a ratio. */
function fromDeviation({ stats }: BenchmarkResult): MeasuredValue | undefined {
  const { mean, stdev, rounds } = stats
  if (mean === undefined || stdev === undefined || rounds === undefined) return undefined
  if (!(mean > 0) || rounds < 2) return undefined
  const roundSpread = stdev / mean
  return {
    value: mean,
    statistic: 'mean',
    logVariance: roundSpread ** 2 / rounds,
    df: rounds - 1,
    untoldVariance: 0,
    roundSpread,
  }
}

/**
 * The standard error of a median from the quartiles is 1.25 · (q3 − q1) ÷ (1.35 · √rounds), here of the logarithms: the
 * notches of box plots.
 * @see McGill, Tukey & Larsen (1978), Variations of Box Plots, The American Statistician 32:12–16
 */
function fromQuartiles({ stats }: BenchmarkResult): MeasuredValue | undefined {
  const { q1, median, q3, rounds } = stats
  if (q1 === undefined || median === undefined || q3 === undefined || rounds === undefined) return undefined
  if (!(q1 > 0 && median >= q1 && q3 >= median) || rounds < RANKED_ROUNDS_MIN) return undefined
  const error = (1.25 * Math.log(q3 / q1)) / (1.35 * Math.sqrt(rounds))
  return {
    value: median,
    statistic: 'median',
    logVariance: error ** 2,
    df: rounds - 1,
    untoldVariance: 0,
    roundSpread: (q3 - q1) / QUARTILES_PER_STDEV / median,
  }
}

/** The wider of the two sides counts for both. */
function fromBounds({ value, statistic, stats }: BenchmarkResult): MeasuredValue | undefined {
  const { low, high } = stats
  if (low === undefined || high === undefined || !(low > 0 && low <= value && value <= high)) return undefined
  const error = Math.log(Math.max(value / low, high / value)) / STATED_BOUNDS_SCORE
  return {
    value,
    statistic,
    logVariance: error ** 2,
    df: DF_OF_STATED,
    untoldVariance: 0,
    roundSpread: error,
  }
}

/** Of how many rounds is not told, so the value may be as unsure as one of them. */
function fromDeviationAlone({ value, statistic, stats }: BenchmarkResult): MeasuredValue | undefined {
  const { mean = value, stdev } = stats
  if (stdev === undefined || !(mean > 0)) return undefined
  const roundSpread = stdev / mean
  return {
    value,
    statistic,
    logVariance: 0,
    df: DF_OF_STATED,
    untoldVariance: roundSpread ** 2,
    roundSpread,
  }
}

/** What is simulated or counted has no error within a run. */
function valueAlone({ value, statistic, instrument }: BenchmarkResult): MeasuredValue {
  const isCounted = instrument === 'simulation' || instrument === 'memory'
  return {
    value,
    statistic,
    logVariance: 0,
    df: DF_OF_STATED,
    untoldVariance: isCounted ? 0 : UNTOLD_STDEV ** 2,
  }
}
