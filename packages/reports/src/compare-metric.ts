import { studentTQuantile } from '@flamegate/benchmarks'
import type { RequestBucket } from '@flamegate/series'
import { deviationOf, statisticOf, type BlockStatistic, type ComparedMetric } from './block-statistic.ts'
import type { Blocks } from './blocks.ts'

export interface MetricChange {
  /** Before and after. */
  values: [number, number]
  /** 0.1: a tenth more; null where it was 0 before. */
  share: number | null
  /** Interval of the share; null where nothing can be told of it. */
  low: number | null
  high: number | null
  /** unknown: too little to tell. */
  verdict: 'better' | 'worse' | 'same' | 'unknown'
}

export interface CompareOptions {
  apdexTargetMs: number
  /** Of the interval. Default 0.95. */
  confidence?: number
}

/** Fewer tell nothing of how certain a value is. */
const blocksMin = 6
/** Smaller changes are of no importance, however certain. */
const shareMin = 0.02
/** When no change is seen, and the interval is no wider than this, there is none; else one might be hidden in it. */
const sameWithin = 0.1

/** What more of is better; of the rest it is worse, but for what is neither. */
export const betterWhen: Readonly<Record<ComparedMetric, 'higher' | 'lower' | 'neither'>> = {
  count: 'neither',
  rate: 'higher',
  mean: 'lower',
  min: 'lower',
  p50: 'lower',
  p90: 'lower',
  p95: 'lower',
  p99: 'lower',
  'p99.9': 'lower',
  max: 'lower',
  failed: 'lower',
  error_share: 'lower',
  sent_bytes: 'neither',
  received_bytes: 'neither',
  apdex: 'higher',
}

/**
 * A metric of two runs, cut into blocks of time, with the interval of its change. Where
 * both have blocks of the same seconds, these are compared pairwise, so that what a ramp does to both is no uncertainty; else
 * the runs are independent. The interval is of the logarithm of the ratio, by Student's distribution. It covers what varied
 * within these runs, and not what varies from run to run: repeat a run to know that.
 */
export function compareMetric(
  metric: ComparedMetric,
  before: Blocks,
  after: Blocks,
  { apdexTargetMs, confidence = 0.95 }: CompareOptions,
): MetricChange | null {
  const [a, b] = [statisticOf(metric, before, apdexTargetMs), statisticOf(metric, after, apdexTargetMs)]
  if (a === null || b === null) return null
  const values: [number, number] = [a.value, b.value]
  const share = a.value === 0 ? (b.value === 0 ? 0 : null) : b.value / a.value - 1
  const isTooLittle = Math.min(before.parts.length, after.parts.length) < blocksMin
  if (a.influences === null || b.influences === null || isTooLittle)
    return { values, share, low: null, high: null, verdict: 'unknown' }
  const quantile = studentTQuantile(
    (1 + confidence) / 2,
    Math.min(before.parts.length, after.parts.length) - 1,
  )
  const arePairs = haveSameSeconds(before.parts, after.parts)
  if (share === null || b.value === 0) {
    // Of a ratio with 0 there is no logarithm: the difference itself decides.
    const margin = quantile * errorOf(a, b, arePairs, () => 1)
    const difference = b.value - a.value
    const verdict =
      Math.abs(difference) <= margin || difference === 0 ? 'same' : directionOf(metric, difference)
    return { values, share, low: null, high: null, verdict }
  }
  const margin = quantile * errorOf(a, b, arePairs, ({ value }) => value)
  const middle = Math.log(b.value / a.value)
  const [low, high] = [Math.expm1(middle - margin), Math.expm1(middle + margin)]
  return { values, share, low, high, verdict: verdictOf(metric, { share, low, high }) }
}

/** The standard error of the difference of two values, each in parts of a scale. */
function errorOf(
  a: BlockStatistic,
  b: BlockStatistic,
  arePairs: boolean,
  scale: (statistic: BlockStatistic) => number,
): number {
  const scaled = (statistic: BlockStatistic) =>
    (statistic.influences ?? []).map((each) => each / scale(statistic))
  const [first, second] = [scaled(a), scaled(b)]
  return arePairs
    ? deviationOf(second.map((each, at) => each - (first[at] ?? 0)))
    : Math.hypot(deviationOf(first), deviationOf(second))
}

function haveSameSeconds(before: readonly RequestBucket[], after: readonly RequestBucket[]): boolean {
  return (
    before.length === after.length &&
    before.every(({ second, seconds }, at) => after[at]?.second === second && after[at].seconds === seconds)
  )
}

function verdictOf(
  metric: ComparedMetric,
  { share, low, high }: { share: number; low: number; high: number },
): MetricChange['verdict'] {
  if ((low > 0 || high < 0) && Math.abs(share) >= shareMin) return directionOf(metric, share)
  return high <= sameWithin && low >= -sameWithin ? 'same' : 'unknown'
}

function directionOf(metric: ComparedMetric, change: number): MetricChange['verdict'] {
  const direction = betterWhen[metric]
  if (direction === 'neither') return 'unknown'
  return change > 0 === (direction === 'higher') ? 'better' : 'worse'
}
