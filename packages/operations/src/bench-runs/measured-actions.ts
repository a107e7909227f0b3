import type { BenchRowShape } from '@flamegate/contract'
import {
  apdexOf,
  counterOf,
  errorsByClass,
  phaseMeans,
  requestMetrics,
  type RequestBucket,
} from '@flamegate/series'
import type { Reading } from '../implement.ts'
import type { BenchPlan, BenchResult, SeriesStore } from '../ports/index.ts'
import { holdsOthers } from './holds-others.ts'
import { loadedUntil, measuredSeconds } from './measured-seconds.ts'
import { pathOf, profileName } from './names-in-plan.ts'
import { RememberedAnswers } from './remembered-answers.ts'

const defaultApdexTargetMs = 500

/** What was measured of the actions of a run in some of its seconds. */
export interface MeasuredActions {
  plan: BenchPlan | undefined
  /** Of all that are no containers; undefined when nothing was measured. */
  total: RequestBucket | undefined
  /** Those that something is known of, by their place in the plan. */
  actions: { action: number; bucket: RequestBucket }[]
  /** Over which rates are counted. */
  loadedSeconds: number
}

interface Seconds {
  fromSecond: number
  /** null: up to the end. */
  toSecond: number | null
}

/** A run of which nothing more comes: what agents could not tell for a while, they have told by then. */
const settledMs = 60_000
/** For how long it is known what was measured of such a run, so that a page of its report reads it once. */
const keptMs = 60_000
/** Of a few MB each, when a run has hundreds of actions. */
const rememberedMax = 8
const remembered = new WeakMap<SeriesStore, RememberedAnswers<MeasuredActions>>()

/** @param run Which the caller may read */
export function measureActions(
  reading: Reading,
  run: BenchResult,
  seconds: Seconds,
): Promise<MeasuredActions> {
  const { series } = reading.deps.stores
  const answers = remembered.get(series) ?? new RememberedAnswers(rememberedMax)
  remembered.set(series, answers)
  const { id, endedAt } = run
  const isSettled = endedAt !== null && Date.now() - endedAt.getTime() > settledMs
  const key = JSON.stringify([id, endedAt, seconds.fromSecond, seconds.toSecond])
  return answers.get(key, isSettled ? keptMs : 0, () => askActions(reading, run, seconds))
}

async function askActions(
  { caller, deps }: Reading,
  run: BenchResult,
  { fromSecond, toSecond }: Seconds,
): Promise<MeasuredActions> {
  const question = {
    kind: 'requests' as const,
    from: fromSecond,
    // What is asked for beyond its end would count as seconds without a request.
    to: Math.max(fromSecond + 1, Math.min(toSecond ?? Infinity, measuredSeconds(run))),
    pointsMax: 1,
  }
  const loadedSeconds = Math.max(1, loadedUntil(run, question.to) - question.from)
  const whole = await deps.stores.series.query(caller, run.id, question)
  const apart = await deps.stores.series.query(caller, run.id, { ...question, apart: 'action' })
  return {
    plan: await deps.stores.benchRuns.findPlan(caller, run.id),
    total: whole?.groups[0]?.buckets[0],
    actions: (apart?.groups ?? []).flatMap(({ action, buckets: [bucket] }) =>
      bucket === undefined || counterOf(bucket, 'count') === 0 ? [] : [{ action, bucket }],
    ),
    loadedSeconds,
  }
}

export interface MeasuredError {
  action: number
  name: string
  error_class: string
  count: number
  share: number
}

/** Errors by action and class; containers fail by what is in them. */
export function errorsOf({ plan, actions }: MeasuredActions): MeasuredError[] {
  return actions
    .filter(({ action }) => !holdsOthers(plan?.actions[action] ?? { type: '' }))
    .flatMap(({ action, bucket }) =>
      errorsByClass(bucket).map(({ class: name, count }) => ({
        action,
        name: pathOf(plan?.actions[action]).join(' / '),
        error_class: name,
        count,
        share: count / counterOf(bucket, 'count'),
      })),
    )
}

/** An action, or all of them, as a row. */
export function rowOf(
  { action: place, bucket }: { action: number | null; bucket: RequestBucket },
  { plan, loadedSeconds }: Pick<MeasuredActions, 'plan' | 'loadedSeconds'>,
  apdexTargetMs = defaultApdexTargetMs,
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
    apdex: apdexOf(bucket, apdexTargetMs * 1000),
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
