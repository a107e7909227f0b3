import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getWorkspace } from '../targets.ts'
import { keepingAnOwner } from './keeping-an-owner.ts'

export const leaveWorkspace = implement(operations.leaveWorkspace)(async (input, context) => {
  const { id, name } = await getWorkspace(context, input.workspace_id)
  await keepingAnOwner(() => context.deps.stores.workspaces.leave(context.caller, id))
  return { workspace_id: id, name }
})
