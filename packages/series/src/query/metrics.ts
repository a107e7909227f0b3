import {
  countOf,
  countWithin,
  deviationOf,
  maxOf,
  meanOf,
  minOf,
  percentileOf,
  shareWithin,
} from '../histogram-values.ts'
import { mergeHistograms } from '../histogram-sum.ts'
import { errorClasses, type ErrorClass } from '../tick.ts'
import { counterOf, type RequestBucket } from './buckets.ts'

/** Whether a time is counted from the sending, or from when it should have been sent. */
export type TimeKind = 'service' | 'response'

/**
 * What can be drawn of requests. Times are microseconds; of no requests there are none. `rate` and what ends in it are per second,
 * shares are from 0 to 1. Requests that got no answer have no time, so that percentiles leave them out and `error_share` has them.
 */
export const requestMetrics = {
  count: (bucket: RequestBucket) => counterOf(bucket, 'count'),
  rate: (bucket: RequestBucket) => perSecond(bucket, counterOf(bucket, 'count')),
  errors: (bucket: RequestBucket) => errorCount(bucket),
  error_rate: (bucket: RequestBucket) => perSecond(bucket, errorCount(bucket)),
  error_share: (bucket: RequestBucket) => shareOf(errorCount(bucket), counterOf(bucket, 'count')),
  sent_bytes: (bucket: RequestBucket) => counterOf(bucket, 'sent_bytes'),
  sent_bytes_rate: (bucket: RequestBucket) => perSecond(bucket, counterOf(bucket, 'sent_bytes')),
  received_bytes: (bucket: RequestBucket) => counterOf(bucket, 'received_bytes'),
  received_bytes_rate: (bucket: RequestBucket) => perSecond(bucket, counterOf(bucket, 'received_bytes')),
  connections_opened: (bucket: RequestBucket) => counterOf(bucket, 'connections_opened'),
  min: (bucket: RequestBucket, time: TimeKind) => minOf(timesOf(bucket, time)),
  mean: (bucket: RequestBucket, time: TimeKind) => meanOf(timesOf(bucket, time)),
  deviation: (bucket: RequestBucket, time: TimeKind) => deviationOf(timesOf(bucket, time)),
  p50: percentile(50),
  p75: percentile(75),
  p90: percentile(90),
  p95: percentile(95),
  p99: percentile(99),
  'p99.9': percentile(99.9),
  max: (bucket: RequestBucket, time: TimeKind) => maxOf(timesOf(bucket, time)),
} satisfies Record<string, (bucket: RequestBucket, time: TimeKind) => number | null>
export type RequestMetric = keyof typeof requestMetrics

export interface ChartPoint {
  second: number
  value: number | null
}

/** One line of a chart. */
export function chartPoints(
  buckets: readonly RequestBucket[],
  metric: RequestMetric,
  time: TimeKind = 'response',
): ChartPoint[] {
  return buckets.map((bucket) => ({ second: bucket.second, value: requestMetrics[metric](bucket, time) }))
}

/** Several buckets as one: sums of counters and of histograms. Of none there is nothing. */
export function totalOf(buckets: readonly RequestBucket[]): RequestBucket | undefined {
  const [first] = buckets
  if (first === undefined) return undefined
  const counters = new Float64Array(first.counters.length)
  for (const bucket of buckets)
    for (const [place, value] of bucket.counters.entries()) counters[place] = (counters[place] ?? 0) + value
  return {
    second: first.second,
    seconds: buckets.reduce((sum, { seconds }) => sum + seconds, 0),
    counters,
    serviceTime: mergeHistograms(buckets.map(({ serviceTime }) => serviceTime)),
    responseTime: mergeHistograms(buckets.map(({ responseTime }) => responseTime)),
  }
}

/** The classes of error that occurred, the most frequent first; shares are of all errors. */
export function errorsByClass(bucket: RequestBucket): { class: ErrorClass; count: number; share: number }[] {
  const total = errorCount(bucket)
  return errorClasses
    .map((name) => ({ class: name, count: counterOf(bucket, `error_${name}`) }))
    .filter(({ count }) => count > 0)
    .map((error) => ({ ...error, share: error.count / total }))
    .toSorted((a, b) => b.count - a.count)
}

export const phases = ['dns', 'connect', 'tls', 'wait', 'download'] as const
export type Phase = (typeof phases)[number]

/** Mean microseconds of each phase over all requests of the bucket, those without that phase among them. */
export function phaseMeans(bucket: RequestBucket): Record<Phase, number> | null {
  const count = counterOf(bucket, 'count')
  if (count === 0) return null
  const mean = (phase: Phase) => counterOf(bucket, `${phase}_us`) / count
  return {
    dns: mean('dns'),
    connect: mean('connect'),
    tls: mean('tls'),
    wait: mean('wait'),
    download: mean('download'),
  }
}

/**
 * Apdex (https://www.apdex.org): those within the threshold count fully, those within four times as long by half; those without
 * an answer, which have no time, not at all.
 */
export function apdexOf(
  bucket: RequestBucket,
  thresholdUs: number,
  time: TimeKind = 'response',
): number | null {
  const times = timesOf(bucket, time)
  const total = Math.max(countOf(times), counterOf(bucket, 'count'))
  if (total === 0) return null
  const satisfied = countWithin(times, thresholdUs)
  return (satisfied + (countWithin(times, 4 * thresholdUs) - satisfied) / 2) / total
}

/** The share of requests with a time of at most that many microseconds, of those that have one. */
export function shareOfTimesWithin(
  bucket: RequestBucket,
  microseconds: number,
  time: TimeKind = 'response',
): number | null {
  return shareWithin(timesOf(bucket, time), microseconds)
}

function percentile(percent: number) {
  return (bucket: RequestBucket, time: TimeKind) => percentileOf(timesOf(bucket, time), percent)
}

function timesOf({ serviceTime, responseTime }: RequestBucket, time: TimeKind) {
  return time === 'service' ? serviceTime : responseTime
}

function errorCount(bucket: RequestBucket): number {
  return errorClasses.reduce((sum, name) => sum + counterOf(bucket, `error_${name}`), 0)
}

function perSecond({ seconds }: RequestBucket, value: number): number {
  return value / seconds
}

function shareOf(part: number, total: number): number | null {
  return total === 0 ? null : part / total
}
