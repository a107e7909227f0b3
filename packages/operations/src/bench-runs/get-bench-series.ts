import { benchMetrics, operations } from '@flamegate/contract'
import type { SeriesKind } from '@flamegate/series'
import { implement } from '../implement.ts'
import { askSeries, groupName, metricIn, seriesKindOf } from './bench-metrics.ts'
import { drawnSeconds, lateSeconds } from './measured-seconds.ts'
import { getBenchRun } from './reaching.ts'

export const getBenchSeries = implement(operations.getBenchSeries)(async (input, context) => {
  const run = await getBenchRun(context, input.bench_result_id)
  const { apart, actions, time, from_second: from, points_max: pointsMax } = input
  // The last seconds of what runs are not told by all agents yet: they would look like a fall.
  const told = input.to_second ?? drawnSeconds(run) - (run.endedAt === null ? lateSeconds : 0)
  const wanted = { from, to: Math.max(from + 1, told), pointsMax, time, apart, actions }
  const plan =
    apart === undefined ? undefined : await context.deps.stores.benchRuns.findPlan(context.caller, run.id)
  const answers = new Map<SeriesKind, Awaited<ReturnType<typeof askSeries>>>()
  for (const kind of new Set(input.metrics.map(seriesKindOf))) {
    // oxlint-disable-next-line no-await-in-loop -- three at most
    answers.set(kind, await askSeries(context, run, kind, wanted))
  }
  // Of a kind of which nothing is known there are no buckets; the others have the same ones.
  const known = [...answers.values()].find((answer) => (answer?.groups.length ?? 0) > 0)
  const lines = input.metrics.flatMap((metric) =>
    (answers.get(seriesKindOf(metric))?.groups ?? []).map((group) => ({
      metric,
      unit: benchMetrics[metric],
      name: groupName(group, apart, plan),
      action: group.action < 0 ? null : group.action,
      values: group.buckets.map((bucket) => metricIn(metric, bucket, time)),
    })),
  )
  return {
    bench_result_id: run.id,
    project_id: run.projectId,
    bucket_seconds: known?.bucketSeconds ?? 1,
    seconds: known?.groups[0]?.buckets.map(({ second }) => second) ?? [],
    lines,
  }
})
