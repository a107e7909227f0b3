import type { Instrument } from './benchmark-result.ts'
import { formatNoise } from './format-percent.ts'
import type { MeasuredPair } from './measured-spread.ts'

/** How far the values of a benchmark lie from run to run without a change, as its history shows. */
export interface BenchmarkNoise {
  /** Standard deviation between runs as a share of the value, e.g. 0.02. Its robust estimate, by the runs' own change points. */
  relativeStdev: number
  /** Of how many runs. */
  runs: number
}

/** What two runs of the same code differ by, beyond what the rounds within them show. */
export interface NoiseBetweenRuns {
  /** Of ln(value), for one run. */
  logVariance: number
  df: number
  isFromHistory: boolean
  /** In words, e.g. `0.8 % between 24 earlier runs`. */
  words: string
}

/**
 * Rounds of one run share their process: the addresses of its memory, its compiled code, the neighbours and the clock
 * rate of that minute. However many they are, they tell nothing of how the next process would differ, so a test over
 * rounds alone calls the same code changed. Without a history we assume what is typical, as a standard deviation:
 * - walltime and custom: 2 %. The same program, its link order or environment changed, is known to move by several
 *   per cent (Mytkowicz et al. 2009, ASPLOS, "Producing wrong data without doing anything obviously wrong!"; Kalibera &
 *   Jones 2013, ISMM, "Rigorous benchmarking in reasonable time").
 * - memory: 0.5 %. What is allocated is counted; only hash seeds and the times of collections move it.
 * - simulation: 0.1 %. Deterministic but for addresses, hash seeds and the size of the environment's variables.
 */
const ASSUMED_STDEV: Record<Instrument, number> = {
  walltime: 0.02,
  custom: 0.02,
  memory: 0.005,
  simulation: 0.001,
}

/** The assumption is trusted as if it came from eleven runs. */
const ASSUMED_DF = 10
/** A robust estimate of n runs is worth a deviation of about half as many (the MAD: 37 %, interquartile ranges alike). */
const ROBUST_EFFICIENCY = 0.5
/** What the benchmarks of one comparison show is believed up to this factor of the assumed deviation, both ways. */
const CORRECTION_MAX = 2
/** Half of a normal distribution lies within so many standard deviations of its middle. */
const HALF_WITHIN = 0.6745

/** The variance of ln(value) between runs that is assumed for a pair whose noise nobody knows. */
export function assumedVariance({ base, head }: MeasuredPair, instrument: Instrument): number {
  return ASSUMED_STDEV[instrument] ** 2 + (base.untoldVariance + head.untoldVariance) / 2
}

/**
 * The factor by which the assumption is too large or too small for this pair of runs, as variances. Most changes make
 * few benchmarks slower, so the shortest interval that holds half of all differences, each in standard errors, shows how
 * far benchmarks lie apart without a change: where all of them moved alike it still is short, and where fewer than half
 * of them moved it does not see those. It has the weight of its benchmarks against that of the assumption.
 * @see Rousseeuw & Leroy (1988), A robust scale estimator based on the shortest half, Statistica Neerlandica 42:103–116
 */
export function assumptionFactor(pairs: readonly MeasuredPair[], instrument: Instrument): number {
  const scores = new Float64Array(pairs.length)
  for (const [index, pair] of pairs.entries()) {
    const { base, head } = pair
    const variance = base.logVariance + head.logVariance + 2 * assumedVariance(pair, instrument)
    scores[index] = Math.log(head.value / base.value) / Math.sqrt(variance)
  }
  scores.sort()
  const half = Math.floor(scores.length / 2)
  let shortest = Infinity
  for (let index = 0; index + half < scores.length; index += 1) {
    shortest = Math.min(shortest, (scores[index + half] ?? 0) - (scores[index] ?? 0))
  }
  const seen = (shortest / (2 * HALF_WITHIN)) ** 2
  const believed = Math.min(CORRECTION_MAX ** 2, Math.max(CORRECTION_MAX ** -2, seen))
  const others = Math.max(0, scores.length - 1)
  return (ASSUMED_DF + others * believed) / (ASSUMED_DF + others)
}

/**
 * The noise between runs, by history and assumption together: the assumption stands for the degrees of freedom that the
 * history is short of ten, so that a long history speaks for itself and a short one cannot pretend that there is none. A
 * history that is noisier than assumed is believed at once.
 * @param assumed variance of ln(value) between runs
 * @param within variance of ln(value) of one run by its rounds; the deviation between runs holds it already, and it is
 * taken off so that it does not count twice
 */
export function noiseBetweenRuns(
  assumed: number,
  within: number,
  history: BenchmarkNoise | undefined,
): NoiseBetweenRuns {
  if (!history || history.runs < 2) {
    return {
      logVariance: assumed,
      df: ASSUMED_DF,
      isFromHistory: false,
      words: `an assumed ${formatNoise(Math.sqrt(assumed))} between runs`,
    }
  }
  const df = ROBUST_EFFICIENCY * (history.runs - 1)
  const missing = Math.max(0, ASSUMED_DF - df)
  const ofHistory = Math.max(0, history.relativeStdev ** 2 - within)
  return {
    logVariance: Math.max(ofHistory, (missing * assumed + df * ofHistory) / (missing + df)),
    df: missing + df,
    isFromHistory: true,
    words: `${formatNoise(history.relativeStdev)} between ${history.runs} earlier runs`,
  }
}
