import type { BenchmarkResult } from './benchmark-report.ts'
import { formatPercent } from './format-percent.ts'
import { mannWhitneyPValue, smallestPValue } from './statistics/mann-whitney.ts'
import { medianRatio } from './statistics/hodges-lehmann.ts'
import type { RatioEstimate } from './statistics/hodges-lehmann.ts'
import { median, medianAbsoluteDeviation } from './statistics/describe-rounds.ts'
import { welchRatio } from './statistics/welch-t-test.ts'
import type { SampleSummary } from './statistics/welch-t-test.ts'

export type ChangeVerdict = 'improved' | 'regressed' | 'unchanged' | 'noisy' | 'incomparable'

/** Changes smaller than this are never called a change, whatever the threshold. */
const NO_CHANGE_PERCENT = 0.5
/** With fewer rounds the order statistics say nothing about the median. */
const RANK_ROUNDS_MIN = 4

export interface JudgeOptions {
  /** A change counts from this size on. */
  thresholdPercent: number
  /** Between 0 and 1, e.g. 0.95. */
  confidence: number
}

/** How one benchmark changed from base to head. Percentages are of the base; positive is slower. */
export interface Judgement {
  verdict: ChangeVerdict
  /** ns; the statistic that was compared. */
  baseValue: number
  headValue: number
  statistic: string
  /** Absent when the values cannot be compared. */
  changePercent?: number
  confidenceInterval?: { lowPercent: number; highPercent: number; confidence: number }
  /** Absent where nothing is known about the spread. */
  pValue?: number
  /** The spread of one round on the noisier side, as a share of its value; absent when the file tells no spread. */
  noisePercent?: number
  reason: string
}

/** A measured ratio head ÷ base; `pValue` and the interval are absent when no spread is known. */
interface Evidence {
  baseValue: number
  headValue: number
  statistic: string
  method: string
  interval?: RatioEstimate
  pValue?: number
}

/**
 * A benchmark improved or regressed when its change is at least the threshold *and* statistically significant: the test
 * rejects at 1 − confidence, and the interval of the ratio excludes 1. Sizes are compared as ratios, so a slowdown of
 * 5 % and its undoing (−4.8 %) count alike, and swapping base and head swaps the verdict.
 * `noisy`: it looks changed but the spread is too large to tell, or the interval reaches past the threshold both ways.
 */
export function judgeChange(base: BenchmarkResult, head: BenchmarkResult, options: JudgeOptions): Judgement {
  const evidence = gatherEvidence(base, head, options.confidence)
  const { baseValue, headValue, statistic, interval, pValue } = evidence
  const values = { baseValue, headValue, statistic }
  if (base.instrument !== head.instrument || base.unit !== head.unit) {
    return {
      ...values,
      verdict: 'incomparable',
      reason: 'The two runs measured with different instruments or units.',
    }
  }
  if (!(baseValue > 0 && headValue > 0)) {
    return {
      ...values,
      verdict: 'incomparable',
      reason: 'A time of zero: the timer is too coarse for this benchmark.',
    }
  }
  const ratio = headValue / baseValue
  const verdict = decide(ratio, evidence, options)
  return {
    ...values,
    verdict,
    changePercent: percentOf(ratio),
    ...(interval && {
      confidenceInterval: {
        lowPercent: percentOf(interval.low),
        highPercent: percentOf(interval.high),
        confidence: options.confidence,
      },
    }),
    ...(pValue !== undefined && { pValue }),
    noisePercent: noisePercent(base, head),
    reason: explain(verdict, ratio, evidence, options),
  }
}

function decide(ratio: number, { interval, pValue }: Evidence, options: JudgeOptions): ChangeVerdict {
  const threshold = Math.log1p(options.thresholdPercent / 100)
  const change = Math.log(ratio)
  const isNone = Math.abs(change) < Math.log1p(NO_CHANGE_PERCENT / 100)
  const isLarge = !isNone && Math.abs(change) >= threshold
  const direction = change > 0 ? 'regressed' : 'improved'
  if (!interval || pValue === undefined) return isLarge ? direction : 'unchanged'
  if (isLarge) return isSignificant(interval, pValue, options) ? direction : 'noisy'
  const reachesBothWays = Math.log(interval.low) < -threshold && Math.log(interval.high) > threshold
  return reachesBothWays ? 'noisy' : 'unchanged'
}

function isSignificant(interval: RatioEstimate, pValue: number, { confidence }: JudgeOptions): boolean {
  return pValue < 1 - confidence && (interval.low > 1 || interval.high < 1)
}

/** The best test that the two sides allow: ranks of the rounds, else mean and deviation, else the bare values. */
function gatherEvidence(base: BenchmarkResult, head: BenchmarkResult, confidence: number): Evidence {
  return (
    rankEvidence(base, head, confidence) ?? meanEvidence(base, head, confidence) ?? valueEvidence(base, head)
  )
}

function rankEvidence(
  base: BenchmarkResult,
  head: BenchmarkResult,
  confidence: number,
): Evidence | undefined {
  const [baseRounds, headRounds] = [base.roundsNs ?? [], head.roundsNs ?? []]
  if (Math.min(baseRounds.length, headRounds.length) < RANK_ROUNDS_MIN) return undefined
  if (smallestPValue(baseRounds.length, headRounds.length) >= 1 - confidence) return undefined
  const interval = medianRatio(baseRounds, headRounds, confidence)
  // Rounds of zero have no logarithm; then there is no interval to trust.
  if (![interval.ratio, interval.low, interval.high].every((ratio) => ratio > 0 && Number.isFinite(ratio))) {
    return undefined
  }
  return {
    baseValue: median(baseRounds),
    headValue: median(headRounds),
    statistic: 'median',
    method: `Mann–Whitney over ${baseRounds.length} and ${headRounds.length} rounds`,
    interval,
    pValue: mannWhitneyPValue(baseRounds, headRounds),
  }
}

function meanEvidence(
  base: BenchmarkResult,
  head: BenchmarkResult,
  confidence: number,
): Evidence | undefined {
  const [baseSummary, headSummary] = [summary(base), summary(head)]
  if (!baseSummary || !headSummary) return undefined
  const { pValue, ...interval } = welchRatio(baseSummary, headSummary, confidence)
  return {
    baseValue: baseSummary.mean,
    headValue: headSummary.mean,
    statistic: 'mean',
    method: `Welch's t over ${baseSummary.rounds} and ${headSummary.rounds} rounds`,
    interval,
    pValue,
  }
}

function summary({ stats }: BenchmarkResult): SampleSummary | undefined {
  const { meanNs, stdevNs, rounds = 0 } = stats
  if (meanNs === undefined || stdevNs === undefined || rounds < 2 || meanNs <= 0) return undefined
  return { mean: meanNs, stdev: stdevNs, rounds }
}

function valueEvidence(base: BenchmarkResult, head: BenchmarkResult): Evidence {
  const statistic =
    base.statistic === head.statistic ? base.statistic : `${base.statistic}, ${head.statistic}`
  return { baseValue: base.value, headValue: head.value, statistic, method: 'no spread is known' }
}

/** 1.4826 × MAD estimates the standard deviation of normal rounds, but is not moved by a few slow ones. */
function noisePercent(base: BenchmarkResult, head: BenchmarkResult): number | undefined {
  const spreads = [base, head].flatMap(({ roundsNs = [], stats }) => {
    if (roundsNs.length >= 2) return (148.26 * medianAbsoluteDeviation(roundsNs)) / median(roundsNs)
    return stats.stdevNs !== undefined && stats.meanNs ? (100 * stats.stdevNs) / stats.meanNs : []
  })
  const finite = spreads.filter(Number.isFinite)
  return finite.length === 0 ? undefined : Math.max(...finite)
}

function explain(verdict: ChangeVerdict, ratio: number, evidence: Evidence, options: JudgeOptions): string {
  const { interval, pValue, method, statistic } = evidence
  const change = formatPercent(percentOf(ratio))
  const threshold = `the threshold of ${options.thresholdPercent} %`
  if (!interval || pValue === undefined) {
    const size = verdict === 'unchanged' ? 'is below' : 'is above'
    return `The ${statistic} changes by ${change}, which ${size} ${threshold}; ${method}, so it is not tested.`
  }
  const between = `${formatPercent(percentOf(interval.low))} to ${formatPercent(percentOf(interval.high))}`
  const proof = `${between} with ${Math.round(options.confidence * 1000) / 10} % confidence, ${method}, ${formatPValue(pValue)}`
  const claims: Record<ChangeVerdict, string> = {
    regressed: `The ${statistic} is slower by ${change}`,
    improved: `The ${statistic} is faster by ${change}`,
    noisy: `The ${statistic} differs by ${change}, but the rounds vary too much to tell`,
    unchanged: `The ${statistic} changes by ${change}, no change against ${threshold}`,
    incomparable: 'The values cannot be compared',
  }
  return `${claims[verdict]} (${proof}).`
}

function formatPValue(pValue: number): string {
  return pValue < 0.001 ? 'p < 0.001' : `p = ${pValue.toFixed(3)}`
}

function percentOf(ratio: number): number {
  return (ratio - 1) * 100
}
