import {
  apdexOf,
  counterOf,
  countOf,
  meanOf,
  percentileOf,
  requestMetrics,
  shareWithin,
  type RequestBucket,
} from '@flamegate/series'
import type { Blocks } from './blocks.ts'

/** What runs are compared by. */
export type ComparedMetric =
  | 'count'
  | 'rate'
  | 'mean'
  | 'min'
  | 'p50'
  | 'p90'
  | 'p95'
  | 'p99'
  | 'p99.9'
  | 'max'
  | 'failed'
  | 'error_share'
  | 'sent_bytes'
  | 'received_bytes'
  | 'apdex'

/** A number of a whole run, and what each block of it had to do with it. */
export interface BlockStatistic {
  /** In milliseconds, shares, per second, bytes, or a count. */
  value: number
  /**
   * By how much each block moves the value (its influence, the first term of the Taylor series); they sum up to 0. null: nothing
   * is known of how certain the value is, as of a longest time.
   */
  influences: readonly number[] | null
}

const percents = { p50: 50, p90: 90, p95: 95, p99: 99, 'p99.9': 99.9 } as const
type Percentile = keyof typeof percents

/**
 * A metric of blocks of a run. Requests of one second are not independent, and neither are neighbouring seconds: what is
 * independent, nearly, are blocks that are long (batch means, Schmeiser 1982). A mean or a share is then a ratio of sums over blocks,
 * and a percentile is where the share of what is shorter, such a ratio too, crosses the percentage: its certainty is that of
 * this share, carried over by the slope of the distribution (Woodruff 1952, "Confidence intervals for medians and other
 * position measures"). That is what a bootstrap over blocks comes to, without chance in it.
 */
export function statisticOf(
  metric: ComparedMetric,
  { parts: blocks, total }: Blocks,
  apdexTargetMs: number,
): BlockStatistic | null {
  if (total === undefined || counterOf(total, 'count') === 0) return null
  if (isPercentile(metric)) return percentileStatistic(percents[metric], blocks, total)
  switch (metric) {
    case 'rate':
      return ratio(
        blocks,
        (block) => counterOf(block, 'count'),
        ({ seconds }) => seconds,
      )
    case 'mean':
      return countOf(total.responseTime) === 0
        ? null
        : ratio(
            blocks,
            ({ responseTime }) => ((meanOf(responseTime) ?? 0) * countOf(responseTime)) / 1000,
            ({ responseTime }) => countOf(responseTime),
          )
    case 'error_share':
      return ratio(blocks, requestMetrics.errors, (block) => counterOf(block, 'count'))
    case 'apdex': {
      const targetUs = apdexTargetMs * 1000
      return ratio(blocks, (block) => (apdexOf(block, targetUs) ?? 0) * judgedCount(block), judgedCount)
    }
    default:
      return plain(metric, total)
  }
}

/** Those without an answer have no time, and are judged all the same. */
function judgedCount(block: RequestBucket): number {
  return Math.max(countOf(block.responseTime), counterOf(block, 'count'))
}

function isPercentile(metric: string): metric is Percentile {
  return metric in percents
}

/** Sums and extremes: of a longer run there is more, and of an extreme nothing is known but itself. */
function plain(
  metric: 'count' | 'min' | 'max' | 'failed' | 'sent_bytes' | 'received_bytes',
  total: RequestBucket,
): BlockStatistic | null {
  if (metric === 'failed') return { value: requestMetrics.errors(total), influences: null }
  const value = requestMetrics[metric](total, 'response')
  if (value === null) return null
  return { value: metric === 'min' || metric === 'max' ? value / 1000 : value, influences: null }
}

function ratio(
  blocks: readonly RequestBucket[],
  part: (block: RequestBucket) => number,
  whole: (block: RequestBucket) => number,
): BlockStatistic {
  const parts = blocks.map(part)
  const wholes = blocks.map(whole)
  const sum = wholes.reduce((all, each) => all + each, 0)
  const value = parts.reduce((all, each) => all + each, 0) / sum
  return { value, influences: parts.map((each, at) => (each - value * (wholes[at] ?? 0)) / sum) }
}

function percentileStatistic(
  percent: number,
  blocks: readonly RequestBucket[],
  total: RequestBucket,
): BlockStatistic | null {
  const times = total.responseTime
  const valueUs = percentileOf(times, percent)
  if (valueUs === null) return null
  const share = ratio(
    blocks,
    ({ responseTime }) => (shareWithin(responseTime, valueUs) ?? 0) * countOf(responseTime),
    ({ responseTime }) => countOf(responseTime),
  )
  const deviation = deviationOf(share.influences ?? [])
  if (deviation === 0) return { value: valueUs / 1000, influences: blocks.map(() => 0) }
  // How much longer a time gets with the share, over as wide a range as the share is uncertain by.
  const low = Math.max(0, percent - 200 * deviation)
  const high = Math.min(100, percent + 200 * deviation)
  const [lowUs, highUs] = [percentileOf(times, low) ?? valueUs, percentileOf(times, high) ?? valueUs]
  const slope = (highUs - lowUs) / 1000 / ((high - low) / 100)
  // A block of which more is short makes the percentile shorter.
  return { value: valueUs / 1000, influences: (share.influences ?? []).map((each) => -each * slope) }
}

/** The standard error of a value, by the influences of its blocks. */
export function deviationOf(influences: readonly number[]): number {
  const count = influences.length
  if (count < 2) return 0
  return Math.sqrt((influences.reduce((sum, each) => sum + each * each, 0) * count) / (count - 1))
}
