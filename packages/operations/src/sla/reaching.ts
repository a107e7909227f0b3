import { operations, Problem } from '@flamegate/contract'
import type { CallContext } from '../implement.ts'
import type { DesignObject } from '../ports/index.ts'
import { reach } from '../targets.ts'

/** An SLA profile among those that the caller may read; also one that was deleted, when asked for. */
export async function getSlaProfile(
  context: CallContext,
  id: string,
  options?: { evenDeleted: boolean },
): Promise<DesignObject> {
  const object = await context.deps.stores.designs.find(context.caller, id, options)
  if (object?.kind !== 'sla_profile') {
    throw new Problem('sla_profile_not_found', 'No such SLA profile in your workspaces.', {
      hint: [operations.listSlaProfiles, 'shows the ones there are'],
    })
  }
  await reach(context, object.workspaceId, object.id)
  return object
}
