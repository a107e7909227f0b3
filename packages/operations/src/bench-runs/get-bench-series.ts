import { benchMetrics, operations, type BenchMetric } from '@flamegate/contract'
import {
  gaugeOf,
  requestMetrics,
  userCounterOf,
  type GeneratorBucket,
  type RequestBucket,
  type SeriesKind,
  type SeriesQuestion,
  type UserBucket,
} from '@flamegate/series'
import { implement, type CallContext } from '../implement.ts'
import type { BenchPlan, BenchResult } from '../ports/index.ts'
import { lateSeconds, measuredSeconds } from './measured-seconds.ts'
import { getBenchRun } from './reaching.ts'

type Time = 'service' | 'response'
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

export const getBenchSeries = implement(operations.getBenchSeries)(async (input, context) => {
  const run = await getBenchRun(context, input.bench_result_id)
  const span = {
    from: input.from_second,
    // The last seconds of what runs are not told by all agents yet: they would look like a fall.
    to: Math.max(
      input.from_second + 1,
      input.to_second ?? measuredSeconds(run) - (run.endedAt === null ? lateSeconds : 0),
    ),
  }
  const { apart } = input
  const plan =
    apart === undefined ? undefined : await context.deps.stores.benchRuns.findPlan(context.caller, run.id)
  const answers = new Map<SeriesKind, Awaited<ReturnType<typeof ask>>>()
  for (const kind of new Set(input.metrics.map((metric) => metricsOf[metric].kind))) {
    // oxlint-disable-next-line no-await-in-loop -- three at most
    answers.set(kind, await ask(kind, run, { ...span, input }, context))
  }
  // Of a kind of which nothing is known there are no buckets; the others have the same ones.
  const known = [...answers.values()].find((answer) => (answer?.groups.length ?? 0) > 0)
  const lines = input.metrics.flatMap((metric) => {
    const { kind, of } = metricsOf[metric]
    return (answers.get(kind)?.groups ?? []).map((group) => ({
      metric,
      unit: benchMetrics[metric],
      name: nameOf(group, apart, plan),
      action: group.action < 0 ? null : group.action,
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the answer is of this kind
      values: group.buckets.map((bucket) => rounded(of(bucket as never, input.time))),
    }))
  })
  return {
    bench_result_id: run.id,
    project_id: run.projectId,
    bucket_seconds: known?.bucketSeconds ?? 1,
    seconds: known?.groups[0]?.buckets.map(({ second }) => second) ?? [],
    lines,
  }
})

function ask(
  kind: SeriesKind,
  { id }: BenchResult,
  {
    from,
    to,
    input,
  }: {
    from: number
    to: number
    input: { points_max: number; apart?: SeriesQuestion['apart']; actions?: number[] | undefined; time: Time }
  },
  { caller, deps }: CallContext,
) {
  const isApart = input.apart !== undefined && (kind === 'requests' || input.apart !== 'action')
  return deps.stores.series.query(caller, id, {
    kind,
    from,
    to,
    pointsMax: input.points_max,
    ...(isApart && !(kind === 'generator' && input.apart === 'profile') ? { apart: input.apart } : {}),
    ...(kind === 'requests' && input.actions !== undefined ? { actions: input.actions } : {}),
    times: { service: input.time === 'service', response: input.time === 'response' },
  })
}

function nameOf(
  { action, profile, agent }: { action: number; profile: number; agent: number },
  apart: SeriesQuestion['apart'],
  plan: BenchPlan | undefined,
): string {
  if (apart === 'agent') return agent < 0 ? '' : `agent ${agent}`
  const { name = '', path = [] } = plan?.actions[action] ?? {}
  if (apart === 'action') return [...path, name].join(' / ')
  return apart === 'profile' ? profileName(plan, profile) : ''
}

/** A scenario names its profiles. */
export function profileName(plan: BenchPlan | undefined, profile: number): string {
  const profiles: unknown = plan?.scenario['profiles']
  const found: unknown = Array.isArray(profiles) ? profiles[profile] : undefined
  return typeof found === 'object' && found !== null && 'name' in found ? String(found.name) : ''
}

function rounded(value: number | null): number | null {
  return value === null ? null : Math.round(value * 10_000) / 10_000
}
