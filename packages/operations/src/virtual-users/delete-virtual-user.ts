import { operations } from '@flamegate/contract'
import { requireUnused, usersOfIds } from '../design/usage.ts'
import { implement } from '../implement.ts'
import { getVirtualUser } from './reaching.ts'

export const deleteVirtualUser = implement(operations.deleteVirtualUser)(async (input, context) => {
  const { id, projectId, name } = await getVirtualUser(context, input.virtual_user_id)
  const usage = await usersOfIds(context, projectId, [id])
  // Only scenarios need them: an SLA profile is attached to nothing then, and in other documents the id is no more than text.
  requireUnused(
    name,
    usage.get(id)?.filter(({ kind }) => kind === 'scenario'),
  )
  await context.deps.stores.designs.remove(context.caller, id)
  return { virtual_user_id: id, project_id: projectId, deleted: true as const }
})
