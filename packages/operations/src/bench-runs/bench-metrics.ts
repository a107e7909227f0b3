import type { BenchMetric } from '@flamegate/contract'
import {
  gaugeOf,
  requestMetrics,
  userCounterOf,
  type Buckets,
  type GeneratorBucket,
  type RequestBucket,
  type SeriesAnswer,
  type SeriesKind,
  type SeriesQuestion,
  type UserBucket,
} from '@flamegate/series'
import type { Reading } from '../implement.ts'
import type { BenchPlan, BenchResult } from '../ports/index.ts'
import { pathOf, profileName } from './names-in-plan.ts'

export type Time = 'service' | 'response'
type MetricOf =
  | { kind: 'requests'; of: (bucket: RequestBucket, time: Time) => number | null }
  | { kind: 'users'; of: (bucket: UserBucket) => number | null }
  | { kind: 'generator'; of: (bucket: GeneratorBucket) => number | null }

const requests = (of: (bucket: RequestBucket, time: Time) => number | null): MetricOf => ({
  kind: 'requests',
  of,
})
const inMs = (name: keyof typeof requestMetrics) =>
  requests((bucket, time) => {
    const microseconds = requestMetrics[name](bucket, time)
    return microseconds === null ? null : microseconds / 1000
  })

/** Where each metric comes from, in the unit that the contract gives it. */
const metricsOf: Readonly<Record<BenchMetric, MetricOf>> = {
  rate: requests(requestMetrics.rate),
  mean: inMs('mean'),
  min: inMs('min'),
  p50: inMs('p50'),
  p75: inMs('p75'),
  p90: inMs('p90'),
  p95: inMs('p95'),
  p99: inMs('p99'),
  'p99.9': inMs('p99.9'),
  max: inMs('max'),
  error_rate: requests(requestMetrics.error_rate),
  error_share: requests(requestMetrics.error_share),
  sent_bytes_rate: requests(requestMetrics.sent_bytes_rate),
  received_bytes_rate: requests(requestMetrics.received_bytes_rate),
  connections_opened: requests(requestMetrics.connections_opened),
  users: { kind: 'users', of: ({ users }) => users },
  iterations_rate: { kind: 'users', of: (bucket) => userCounterOf(bucket, 'iterations') / bucket.seconds },
  cpu_share: { kind: 'generator', of: (bucket) => gaugeOf(bucket, 'cpu_permille').mean / 1000 },
  event_loop_delay_max: {
    kind: 'generator',
    of: (bucket) => gaugeOf(bucket, 'event_loop_delay_max_us').max / 1000,
  },
  send_lag_max: { kind: 'generator', of: (bucket) => gaugeOf(bucket, 'send_lag_max_us').max / 1000 },
}

/** Of which kind of series a metric is. */
export function seriesKindOf(metric: BenchMetric): SeriesKind {
  return metricsOf[metric].kind
}

/** A metric in a bucket of its kind of series; null where there is nothing to tell. */
export function metricIn(metric: BenchMetric, bucket: Buckets[SeriesKind], time: Time): number | null {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- whoever asked took the kind from `seriesKindOf`
  const value = metricsOf[metric].of(bucket as never, time)
  return value === null ? null : Math.round(value * 10_000) / 10_000
}

export interface SeriesWanted {
  from: number
  to: number
  pointsMax: number
  time: Time
  apart?: SeriesQuestion['apart']
  actions?: readonly number[] | undefined
  profiles?: readonly number[] | undefined
}

/** Asks a kind of series for as much of what is wanted as it can tell apart. Undefined where there is none. */
export async function askSeries(
  { caller, deps }: Reading,
  { id, importedFrom }: Pick<BenchResult, 'id' | 'importedFrom'>,
  kind: SeriesKind,
  { from, to, pointsMax, time, apart, actions, profiles }: SeriesWanted,
): Promise<SeriesAnswer<Buckets[SeriesKind]> | undefined> {
  // Other tools do not tell how they were themselves.
  if (kind === 'generator' && importedFrom !== null) return undefined
  const isApart = apart !== undefined && (kind === 'requests' || apart !== 'action')
  return deps.stores.series.query(caller, id, {
    kind,
    from,
    to,
    pointsMax,
    ...(isApart && !(kind === 'generator' && apart === 'profile') ? { apart } : {}),
    ...(kind === 'requests' && actions !== undefined ? { actions } : {}),
    ...(kind !== 'generator' && profiles !== undefined ? { profiles } : {}),
    times: { service: time === 'service', response: time === 'response' },
  })
}

/** What a group of series is of; empty: all. */
export function groupName(
  { action, profile, agent }: { action: number; profile: number; agent: number },
  apart: SeriesQuestion['apart'],
  plan: BenchPlan | undefined,
): string {
  if (apart === 'agent') return agent < 0 ? '' : `agent ${agent}`
  if (apart === 'action') return pathOf(plan?.actions[action]).join(' / ')
  return apart === 'profile' ? profileName(plan, profile) : ''
}
