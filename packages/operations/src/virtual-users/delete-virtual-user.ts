import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getVirtualUser } from './reaching.ts'

export const deleteVirtualUser = implement(operations.deleteVirtualUser)(async (input, context) => {
  const { id, projectId } = await getVirtualUser(context, input.virtual_user_id)
  await context.deps.stores.designs.remove(context.caller, id)
  return { virtual_user_id: id, project_id: projectId, deleted: true as const }
})
