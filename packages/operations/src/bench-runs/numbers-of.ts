import type { BenchNumbersShape } from '@flamegate/contract'
import { counterOf, requestMetrics } from '@flamegate/series'
import type { Reading } from '../implement.ts'
import type { BenchResult } from '../ports/index.ts'
import { lateSeconds } from './measured-seconds.ts'

/** Over which the rate is that of now, while it runs. */
const nowSeconds = 10

/** What a run has seen so far, over all agents; null where nothing was measured. */
export async function numbersOf(
  { caller, deps }: Reading,
  { id, startedAt, endedAt, durationMs }: BenchResult,
): Promise<BenchNumbersShape | null> {
  if (startedAt === null) return null
  const passed = Math.max(1, Math.ceil(((endedAt ?? new Date()).getTime() - startedAt.getTime()) / 1000))
  const query = <Kind extends 'requests' | 'users'>(kind: Kind, span: { from: number; to: number }) =>
    deps.stores.series.query(caller, id, { kind, ...span, pointsMax: 1 })
  const all = await query('requests', { from: 0, to: passed + 1 })
  const total = all?.groups[0]?.buckets[0]
  if (total === undefined) return null
  const told = Math.max(1, passed - lateSeconds)
  const now =
    endedAt === null
      ? { from: Math.max(0, told - nowSeconds), to: told }
      : { from: 0, to: Math.min(passed, Math.max(1, Math.floor(durationMs / 1000))) }
  const recent = (await query('requests', now))?.groups[0]?.buckets[0]
  const users = (await query('users', now))?.groups[0]?.buckets[0]
  return {
    users: (endedAt === null ? users?.users : users?.usersMax) ?? 0,
    count: counterOf(total, 'count'),
    failed: requestMetrics.errors(total),
    rate_per_second: rounded(recent === undefined ? 0 : counterOf(recent, 'count') / (now.to - now.from)),
    mean_ms: milliseconds(requestMetrics.mean(total, 'response')),
    p50_ms: milliseconds(requestMetrics.p50(total, 'response')),
    p95_ms: milliseconds(requestMetrics.p95(total, 'response')),
    p99_ms: milliseconds(requestMetrics.p99(total, 'response')),
    max_ms: milliseconds(requestMetrics.max(total, 'response')),
    sent_bytes: counterOf(total, 'sent_bytes'),
    received_bytes: counterOf(total, 'received_bytes'),
  }
}

function milliseconds(microseconds: number | null): number | null {
  return microseconds === null ? null : rounded(microseconds / 1000)
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000
}
