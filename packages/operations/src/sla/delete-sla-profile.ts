import { operations, Problem } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { reach } from '../targets.ts'

export const deleteSlaProfile = implement(operations.deleteSlaProfile)(async (input, context) => {
  const { caller, deps } = context
  const object = await deps.stores.designs.find(caller, input.sla_profile_id)
  if (object?.kind !== 'sla_profile') {
    throw new Problem('sla_profile_not_found', 'No such SLA profile in your workspaces.', {
      hint: [operations.listSlaProfiles, 'shows the ones there are'],
    })
  }
  await reach(context, object.workspaceId, object.id)
  await deps.stores.designs.remove(caller, object.id)
  return { sla_profile_id: object.id, project_id: object.projectId, deleted: true as const }
})
