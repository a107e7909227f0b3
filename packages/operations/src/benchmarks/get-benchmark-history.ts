import { operations, Problem } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { reach } from '../targets.ts'
import { statsOnWire } from '../wire.ts'

export const getBenchmarkHistory = implement(operations.getBenchmarkHistory)(async (input, context) => {
  const { caller, deps } = context
  const benchmark = await deps.stores.benchmarks.find(caller, input.benchmark_id)
  if (benchmark === undefined) {
    throw new Problem('benchmark_not_found', 'No such benchmark in your workspaces.', {
      hint: [operations.listBenchmarks, 'shows the ones there are'],
    })
  }
  await reach(context, benchmark.workspaceId, benchmark.id)
  const points = await deps.stores.benchmarks.history(caller, benchmark.id, {
    branch: input.branch,
    limit: input.limit,
  })
  return {
    benchmark: {
      id: benchmark.id,
      project_id: benchmark.projectId,
      uri: benchmark.uri,
      name: benchmark.name,
      instrument: benchmark.instrument,
      metric: benchmark.metric,
      better_when: benchmark.betterWhen,
    },
    unit: points[0]?.unit ?? 'ns',
    points: points.toReversed().map((point) => ({
      run_id: point.runId,
      branch: point.branch,
      commit_hash: point.commitHash,
      commit_message: point.commitMessage,
      at: (point.committedAt ?? point.createdAt).toISOString(),
      value: point.value,
      stats: statsOnWire(point.stats),
      environment: point.environment,
    })),
  }
})
