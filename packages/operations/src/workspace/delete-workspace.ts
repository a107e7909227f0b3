import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getWorkspace } from '../targets.ts'
import { afterGrace, mustBeName } from './deletion.ts'

export const deleteWorkspace = implement(operations.deleteWorkspace)(async (input, context) => {
  const { id, name } = await getWorkspace(context, input.workspace_id)
  mustBeName(input.confirm, name)
  const deletesAt = afterGrace(context.calledAt)
  await context.deps.stores.workspaces.setDeletion(context.caller, id, deletesAt)
  return { workspace_id: id, name, deletes_at: deletesAt.toISOString() }
})
