import { operations } from '@flamegate/contract'
import { pageOf } from '../cursor.ts'
import { implement } from '../implement.ts'
import { getWorkspace } from '../targets.ts'
import { projectOnWire } from '../wire.ts'

export const listProjects = implement(operations.listProjects)(async (input, context) => {
  const workspace = await getWorkspace(context, input.workspace_id)
  const filter = input.search === undefined ? {} : { search: input.search }
  const { rows, nextCursor } = await pageOf(
    'projects',
    input,
    { workspace: workspace.id, ...filter },
    (page) => context.deps.stores.projects.list(context.caller, workspace.id, page, filter),
  )
  return { workspace_id: workspace.id, projects: rows.map(projectOnWire), next_cursor: nextCursor }
})
