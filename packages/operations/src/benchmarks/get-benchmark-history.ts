import { findChangePoints } from '@flamegate/benchmarks'
import { operations, type OutputOf } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { isoTime } from '../iso-time.ts'
import type { HistoryPoint } from '../ports/index.ts'
import { getBenchmark, getProjectOfRepository } from '../targets.ts'
import { renamedFrom, sameUri } from './naming-on-wire.ts'
import { alertOnWire, benchmarkOnWire } from './watching-on-wire.ts'

type ChangePointOnWire = OutputOf<typeof operations.getBenchmarkHistory>['change_points'][number]

export const getBenchmarkHistory = implement(operations.getBenchmarkHistory)(async (input, context) => {
  const { caller, deps } = context
  const place =
    input.repository === undefined ? undefined : await getProjectOfRepository(context, input.repository)
  const benchmark = await getBenchmark(context, input.benchmark_id, place?.id)
  // As many as there are points, so that a short answer is short.
  const alertsMax = Math.min(100, input.limit)
  const metric = input.metric ?? benchmark.metric
  const further = metric === benchmark.metric ? {} : { metric }
  const branch = input.branch === undefined ? {} : { branch: input.branch }
  const [history, furtherMetrics, alerts, others] = await Promise.all([
    deps.stores.benchmarks.history(caller, benchmark.id, { ...branch, ...further, limit: input.limit }),
    deps.stores.benchmarks.metricsOf(caller, benchmark.id),
    deps.stores.alerts.list(
      caller,
      benchmark.projectId,
      { limit: alertsMax },
      { benchmarkId: benchmark.id, metric, ...branch },
    ),
    sameUri(context, benchmark),
  ])
  const all = history.points.toReversed()
  // Values in another unit than the newest one's would stand beside them as if they were far away.
  const unit = all.at(-1)?.unit ?? ''
  const points = all.filter((point) => point.unit === unit)
  return {
    benchmark: benchmarkOnWire(benchmark),
    renamed_from: renamedFrom(input.benchmark_id, benchmark),
    same_uri: others,
    metric,
    better_when:
      metric === benchmark.metric
        ? benchmark.betterWhen
        : (furtherMetrics.find(({ name }) => name === metric)?.betterWhen ?? null),
    metrics: [...new Set([benchmark.metric, ...furtherMetrics.map(({ name }) => name)])],
    unit,
    other_unit_count: all.length - points.length,
    points: points.map((point) => ({
      run_id: point.runId,
      branch: point.branch,
      commit_hash: point.commitHash,
      commit_message: point.commitMessage,
      at: isoTime(point.at),
      value: point.value,
      stdev: point.stdev,
      environment_id: point.environmentId,
    })),
    environments: history.environments,
    change_points: [...Map.groupBy(points, (point) => point.branch)].flatMap(([name, own]) =>
      changePointsOf(name, own, unit),
    ),
    alerts: alerts.slice(0, alertsMax).map(alertOnWire),
  }
})

function changePointsOf(branch: string, points: readonly HistoryPoint[], unit: string): ChangePointOnWire[] {
  const values = points.map(({ value }) => value)
  return findChangePoints(values, { unit }).changePoints.map((change) => ({
    branch,
    run_id: points[change.index]?.runId ?? '',
    before: change.before,
    after: change.after,
    change_percent: change.changePercent,
    interval_low_percent: change.confidenceInterval.lowPercent,
    interval_high_percent: change.confidenceInterval.highPercent,
    sentence: change.sentence,
  }))
}
