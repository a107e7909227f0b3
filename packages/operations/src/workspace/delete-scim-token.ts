import { operations, Problem } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getWorkspace } from '../targets.ts'

export const deleteScimToken = implement(operations.deleteScimToken)(async (input, context) => {
  const { id } = await getWorkspace(context, input.workspace_id)
  if (!(await context.deps.stores.scim.removeToken(context.caller, id))) {
    throw new Problem('scim_not_found', 'This workspace has no SCIM token.')
  }
  return { workspace_id: id, deleted: true as const }
})
