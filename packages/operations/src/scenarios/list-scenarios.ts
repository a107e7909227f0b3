import { operations } from '@flamegate/contract'
import { pageOf } from '../cursor.ts'
import { implement } from '../implement.ts'
import type { BenchResult } from '../ports/index.ts'
import { getProject } from '../targets.ts'
import { scenarioOnWire } from './on-wire.ts'

export const listScenarios = implement(operations.listScenarios)(async (input, context) => {
  const project = await getProject(context, input.project_id)
  const { search, tag, deleted: areDeleted } = input
  const filter = { kind: 'scenario', search, tag, areDeleted } as const
  const { rows, nextCursor } = await pageOf('scenarios', input, { project: project.id, ...filter }, (page) =>
    context.deps.stores.designs.list(context.caller, project.id, page, filter),
  )
  const runs = await context.deps.stores.benchRuns.lastOf(
    context.caller,
    rows.map(({ id }) => id),
  )
  return {
    project_id: project.id,
    scenarios: rows.map((row) => ({ ...scenarioOnWire(row), last_run: lastRun(runs.get(row.id)) })),
    next_cursor: nextCursor,
  }
})

function lastRun(run: BenchResult | undefined) {
  if (run === undefined) return null
  const { id, state, isDegraded, createdAt } = run
  return { id, state, is_degraded: isDegraded, created_at: createdAt.toISOString() }
}
