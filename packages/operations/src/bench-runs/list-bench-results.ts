import { operations } from '@flamegate/contract'
import { pageOf } from '../cursor.ts'
import { implement } from '../implement.ts'
import { getProject } from '../targets.ts'
import { benchResultOnWire } from './on-wire.ts'

export const listBenchResults = implement(operations.listBenchResults)(async (input, context) => {
  const project = await getProject(context, input.project_id)
  const { scenario_id: scenarioId } = input
  const { rows, nextCursor } = await pageOf(
    'bench_results',
    input,
    { project: project.id, scenario: scenarioId ?? '' },
    (page) => context.deps.stores.benchRuns.list(context.caller, { projectId: project.id, scenarioId }, page),
  )
  return {
    project_id: project.id,
    bench_results: rows.map((row) => benchResultOnWire(row)),
    next_cursor: nextCursor,
  }
})
