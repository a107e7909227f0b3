import { operations, Problem } from '@flamegate/contract'
import type { CallContext } from '../implement.ts'
import type { DesignObject } from '../ports/index.ts'
import { reach } from '../targets.ts'

/** A virtual user among those that the caller may read; also one that was deleted, when asked for. */
export async function getVirtualUser(
  context: CallContext,
  id: string,
  options?: { evenDeleted: boolean },
): Promise<DesignObject> {
  const object = await context.deps.stores.designs.find(context.caller, id, options)
  if (object?.kind !== 'virtual_user') {
    throw new Problem('virtual_user_not_found', 'No such virtual user in your workspaces.', {
      hint: [operations.listVirtualUsers, 'shows the ones there are'],
    })
  }
  await reach(context, object.workspaceId, object.id)
  return object
}
