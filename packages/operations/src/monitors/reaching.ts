import { operations, Problem } from '@flamegate/contract'
import type { CallContext } from '../implement.ts'
import type { DesignObject } from '../ports/index.ts'
import { reach } from '../targets.ts'

/** A monitor among those that the caller may read; also one that was deleted, when asked for. */
export async function getMonitorObject(
  context: CallContext,
  id: string,
  options?: { evenDeleted: boolean },
): Promise<DesignObject> {
  const object = await context.deps.stores.designs.find(context.caller, id, options)
  if (object?.kind !== 'monitor') {
    throw new Problem('monitor_not_found', 'No such monitor in your workspaces.', {
      hint: [operations.listMonitors, 'shows those of a project'],
    })
  }
  await reach(context, object.workspaceId, object.id)
  return object
}
