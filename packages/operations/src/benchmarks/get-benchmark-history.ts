import { findChangePoints } from '@flamegate/benchmarks'
import { operations, type OutputOf } from '@flamegate/contract'
import { implement } from '../implement.ts'
import type { HistoryPoint } from '../ports/index.ts'
import { getBenchmark } from '../targets.ts'
import { statsOnWire } from '../wire.ts'
import { alertOnWire, benchmarkOnWire } from './watching-on-wire.ts'

type ChangePointOnWire = OutputOf<typeof operations.getBenchmarkHistory>['change_points'][number]

export const getBenchmarkHistory = implement(operations.getBenchmarkHistory)(async (input, context) => {
  const { caller, deps } = context
  const benchmark = await getBenchmark(context, input.benchmark_id)
  const metric = input.metric ?? benchmark.metric
  const further = metric === benchmark.metric ? {} : { metric }
  const branch = input.branch === undefined ? {} : { branch: input.branch }
  const [history, furtherMetrics, alerts] = await Promise.all([
    deps.stores.benchmarks.history(caller, benchmark.id, { ...branch, ...further, limit: input.limit }),
    deps.stores.benchmarks.metricsOf(caller, benchmark.id),
    deps.stores.alerts.list(
      caller,
      benchmark.projectId,
      { limit: 100 },
      { benchmarkId: benchmark.id, metric, ...branch },
    ),
  ])
  const points = history.points.toReversed()
  return {
    benchmark: benchmarkOnWire(benchmark),
    metric,
    metrics: [...new Set([benchmark.metric, ...furtherMetrics])],
    unit: points.at(-1)?.unit ?? 'ns',
    points: points.map((point) => ({
      run_id: point.runId,
      branch: point.branch,
      commit_hash: point.commitHash,
      commit_message: point.commitMessage,
      at: (point.committedAt ?? point.createdAt).toISOString(),
      value: point.value,
      stats: statsOnWire(point.stats),
      environment_id: point.environmentId,
    })),
    environments: history.environments,
    change_points: [...Map.groupBy(points, (point) => point.branch)].flatMap(([name, own]) =>
      changePointsOf(name, own),
    ),
    alerts: alerts.slice(0, 100).map(alertOnWire),
  }
})

function changePointsOf(branch: string, points: readonly HistoryPoint[]): ChangePointOnWire[] {
  const unit = points.at(-1)?.unit
  const comparable = points.filter((point) => point.unit === unit)
  return findChangePoints(comparable.map(({ value }) => value)).changePoints.map((change) => ({
    branch,
    run_id: comparable[change.index]?.runId ?? '',
    before: change.before,
    after: change.after,
    change_percent: change.changePercent,
    interval_low_percent: change.confidenceInterval.lowPercent,
    interval_high_percent: change.confidenceInterval.highPercent,
    sentence: change.sentence,
  }))
}
