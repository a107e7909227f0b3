import { operations } from '@flamegate/contract'
import { pageOf } from '../cursor.ts'
import { implement } from '../implement.ts'
import { getProjectOfRepository } from '../targets.ts'

export const listBenchmarks = implement(operations.listBenchmarks)(async (input, context) => {
  const project = await getProjectOfRepository(context, input.repository)
  const filter = {
    ...(input.search === undefined ? {} : { search: input.search }),
    ...(input.state === 'all' ? {} : { state: input.state }),
  }
  const { rows, nextCursor } = await pageOf('benchmarks', input, { project: project.id, ...filter }, (page) =>
    context.deps.stores.benchmarks.list(context.caller, project.id, page, filter),
  )
  return {
    project_id: project.id,
    benchmarks: rows.map((row) => ({
      id: row.id,
      uri: row.uri,
      name: row.name,
      instrument: row.instrument,
      metric: row.metric,
      better_when: row.betterWhen,
      last_value: row.lastValue,
      unit: row.lastUnit,
      last_run_id: row.lastRunId,
      last_run_at: row.lastRunAt.toISOString(),
      run_count: row.runCount,
      state: row.state,
      is_critical: row.isCritical,
      threshold_percent: row.thresholdPercent,
      noise_percent: row.noisePercent,
      open_alert_count: row.openAlertCount,
      trend: row.trend,
    })),
    next_cursor: nextCursor,
  }
})
