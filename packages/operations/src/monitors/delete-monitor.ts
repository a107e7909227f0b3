import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getMonitorObject } from './reaching.ts'

export const deleteMonitor = implement(operations.deleteMonitor)(async (input, context) => {
  const { id, projectId } = await getMonitorObject(context, input.monitor_id)
  await context.deps.stores.designs.remove(context.caller, id)
  return { monitor_id: id, project_id: projectId, deleted: true as const }
})
