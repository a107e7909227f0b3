import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getWorkspace } from '../targets.ts'
import { mustBeInTime } from './deletion.ts'

export const restoreWorkspace = implement(operations.restoreWorkspace)(async (input, context) => {
  const workspace = await getWorkspace(context, input.workspace_id)
  const { id, name } = workspace
  mustBeInTime(workspace, context.calledAt)
  await context.deps.stores.workspaces.setDeletion(context.caller, id, null)
  return { workspace_id: id, name }
})
