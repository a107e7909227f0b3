import type { BenchRowShape } from '@flamegate/contract'
import { rowMetrics, type ReportItem, type RowMetric, type TrendSelector } from '@flamegate/loadtest'
import { trendChanges } from '@flamegate/reports'
import { rowOf } from '../../bench-runs/measured-actions.ts'
import { loadedUntil } from '../../bench-runs/measured-seconds.ts'
import { isNowhere, placesOf } from '../../bench-runs/places-of-scope.ts'
import type { Reading } from '../../implement.ts'
import type { BenchResult } from '../../ports/index.ts'
import { reportRunOnWire } from '../on-wire.ts'
import { totalSecondsOf, type ItemReading, type ItemValues } from './item-reading.ts'
import { metricOfRow } from './row-metric.ts'

type TrendItem = ReportItem & { type: 'trend' }

/** A point for each run that the trend of the report finds now, the oldest first. */
export async function trendValues(item: TrendItem, at: ItemReading): Promise<ItemValues<'trend'>> {
  const { reading, projectId, report } = at
  const runs = report.trend === null ? [] : await runsOfTrend(reading, projectId, report.trend)
  const rows: (BenchRowShape | null)[] = []
  for (const run of runs) {
    // oxlint-disable-next-line no-await-in-loop -- a hundred at most, one after the other
    rows.push(await measured(item, run, at))
  }
  return {
    type: 'trend',
    lines: item.metrics.map((metric) => lineOf(metric, runs, rows)),
  }
}

function lineOf(
  metric: RowMetric,
  runs: readonly BenchResult[],
  rows: readonly (BenchRowShape | null)[],
): ItemValues<'trend'>['lines'][number] {
  const values = rows.map((row) => (row === null ? null : metricOfRow(row, metric)))
  return {
    metric,
    unit: rowMetrics[metric],
    points: runs.map((run, index) => ({ run: reportRunOnWire(run), value: values[index] ?? null })),
    changes: trendChanges(metric, values),
  }
}

async function runsOfTrend(
  { caller, deps }: Reading,
  projectId: string,
  { scenario_id, name, tags, created_after, created_before, count_max }: TrendSelector,
): Promise<BenchResult[]> {
  const found = await deps.stores.benchRuns.list(
    caller,
    {
      projectId,
      scenarioId: scenario_id ?? undefined,
      name: name ?? undefined,
      tags,
      createdAfter: dateOf(created_after),
      createdBefore: dateOf(created_before),
      areMeasured: true,
    },
    { limit: count_max },
  )
  return found.slice(0, count_max).toReversed()
}

function dateOf(text: string | null): Date | undefined {
  return text === null ? undefined : new Date(text)
}

/** What a scope means in a run, in total; null when it has no such thing, or measured nothing of it. */
async function measured(
  item: TrendItem,
  run: BenchResult,
  { reading: { caller, deps }, report }: ItemReading,
): Promise<BenchRowShape | null> {
  const plan = await deps.stores.benchRuns.findPlan(caller, run.id)
  const places = plan === undefined ? {} : placesOf(item.scope, plan)
  if (isNowhere(places)) return null
  const { from, to } = totalSecondsOf(item, run)
  const answer = await deps.stores.series.query(caller, run.id, {
    kind: 'requests',
    from,
    to,
    pointsMax: 1,
    ...places,
  })
  const bucket = answer?.groups[0]?.buckets[0]
  if (bucket === undefined) return null
  const loadedSeconds = Math.max(1, loadedUntil(run, to) - from)
  return rowOf({ action: null, bucket }, { plan, loadedSeconds }, report.apdex_target_ms)
}
