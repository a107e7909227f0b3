import { operations } from '@flamegate/contract'
import { pageOf } from '../cursor.ts'
import { implement } from '../implement.ts'
import { getProjectOfRepository } from '../targets.ts'
import { runOnWire } from '../wire.ts'

export const listRuns = implement(operations.listRuns)(async (input, context) => {
  const project = await getProjectOfRepository(context, input.repository)
  const filter = {
    branch: input.branch,
    event: input.event,
    pullRequest: input.pull_request,
    status: input.status,
  }
  const { rows, nextCursor } = await pageOf('runs', input, { project: project.id, ...filter }, (page) =>
    context.deps.stores.runs.list(context.caller, project.id, page, filter),
  )
  return { project_id: project.id, runs: rows.map(runOnWire), next_cursor: nextCursor }
})
