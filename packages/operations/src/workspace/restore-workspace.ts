import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getWorkspace } from '../targets.ts'

export const restoreWorkspace = implement(operations.restoreWorkspace)(async (input, context) => {
  const { id, name } = await getWorkspace(context, input.workspace_id)
  await context.deps.stores.workspaces.setDeletion(context.caller, id, null)
  return { workspace_id: id, name }
})
