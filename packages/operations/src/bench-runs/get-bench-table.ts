import { operations, type BenchRowShape } from '@flamegate/contract'
import {
  apdexOf,
  counterOf,
  distributionBars,
  errorsByClass,
  percentileCurve,
  phaseMeans,
  requestMetrics,
  type RequestBucket,
} from '@flamegate/series'
import { implement } from '../implement.ts'
import type { BenchAction, BenchPlan } from '../ports/index.ts'
import { profileName } from './get-bench-series.ts'
import { holdsOthers } from './holds-others.ts'
import { measuredSeconds } from './measured-seconds.ts'
import { getBenchRun } from './reaching.ts'

const apdexUs = 500_000
const samplesMax = 200
const barsMax = 60

export const getBenchTable = implement(operations.getBenchTable)(async (input, context) => {
  const run = await getBenchRun(context, input.bench_result_id)
  const { caller, deps } = context
  const question = {
    kind: 'requests' as const,
    from: input.from_second,
    to: Math.max(input.from_second + 1, input.to_second ?? measuredSeconds(run)),
    pointsMax: 1,
  }
  // What ends after the last second of the load is counted, and makes no second more.
  const lastSecond = Math.min(question.to, Math.ceil(run.durationMs / 1000))
  const loadedSeconds = Math.max(1, (run.stopAskedAt === null ? lastSecond : question.to) - question.from)
  const plan = await deps.stores.benchRuns.findPlan(caller, run.id)
  const whole = await deps.stores.series.query(caller, run.id, question)
  const apart = await deps.stores.series.query(caller, run.id, { ...question, apart: 'action' })
  const samples = await deps.stores.benchRuns.listSamples(caller, run.id, samplesMax)
  const total = whole?.groups[0]?.buckets[0]
  const groups = (apart?.groups ?? []).flatMap(({ action, buckets: [bucket] }) =>
    bucket === undefined || counterOf(bucket, 'count') === 0 ? [] : [{ action, bucket }],
  )
  const isOwn = ({ action }: { action: number }) => !holdsOthers(plan?.actions[action] ?? { type: '' })
  const nameOf = (action: number) => pathOf(plan?.actions[action]).join(' / ')
  return {
    bench_result_id: run.id,
    project_id: run.projectId,
    total: total === undefined ? null : row(null, total, plan, loadedSeconds),
    rows: groups.map(({ action, bucket }) => row(action, bucket, plan, loadedSeconds)),
    errors: groups.filter(isOwn).flatMap(({ action, bucket }) =>
      errorsByClass(bucket).map(({ class: name, count }) => ({
        action,
        name: nameOf(action),
        error_class: name,
        count,
        share: count / counterOf(bucket, 'count'),
      })),
    ),
    samples: samples.map(({ id, action, errorClass, message, at, exchange }) => ({
      id,
      action,
      name: nameOf(action),
      error_class: errorClass,
      message,
      at: at.toISOString(),
      exchange,
    })),
    percentiles:
      total === undefined
        ? []
        : percentileCurve(total.responseTime).map(({ percent, valueUs }) => ({
            percentile: percent,
            ms: valueUs / 1000,
          })),
    distribution:
      total === undefined
        ? []
        : distributionBars(total.responseTime, barsMax).map(({ fromUs, toUs, count }) => ({
            from_ms: fromUs / 1000,
            to_ms: toUs / 1000,
            count,
          })),
  }
})

function pathOf(action: BenchAction | undefined): string[] {
  return action === undefined ? [] : [...action.path, action.name === '' ? action.action_id : action.name]
}

function row(
  place: number | null,
  bucket: RequestBucket,
  plan: BenchPlan | undefined,
  loadedSeconds: number,
): BenchRowShape {
  const action = place === null ? undefined : plan?.actions[place]
  const ms = (name: 'mean' | 'min' | 'p50' | 'p90' | 'p95' | 'p99' | 'p99.9' | 'max') => {
    const microseconds = requestMetrics[name](bucket, 'response')
    return microseconds === null ? null : rounded(microseconds / 1000)
  }
  const means = phaseMeans(bucket)
  const phase = (microseconds: number) => rounded(microseconds / 1000)
  return {
    action: place,
    action_id: action?.action_id ?? null,
    type: action?.type ?? null,
    name: action === undefined ? 'All requests' : (pathOf(action).at(-1) ?? ''),
    path: action?.path ?? [],
    profile: action === undefined ? null : profileName(plan, action.profile),
    count: counterOf(bucket, 'count'),
    rate_per_second: rounded(counterOf(bucket, 'count') / loadedSeconds),
    mean_ms: ms('mean'),
    min_ms: ms('min'),
    p50_ms: ms('p50'),
    p90_ms: ms('p90'),
    p95_ms: ms('p95'),
    p99_ms: ms('p99'),
    p99_9_ms: ms('p99.9'),
    max_ms: ms('max'),
    failed: requestMetrics.errors(bucket),
    error_share: requestMetrics.error_share(bucket),
    sent_bytes: counterOf(bucket, 'sent_bytes'),
    received_bytes: counterOf(bucket, 'received_bytes'),
    apdex: apdexOf(bucket, apdexUs),
    phases_ms:
      means === null
        ? null
        : {
            dns: phase(means.dns),
            connect: phase(means.connect),
            tls: phase(means.tls),
            wait: phase(means.wait),
            download: phase(means.download),
          },
  }
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000
}
