import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getSlaProfile } from './reaching.ts'

export const deleteSlaProfile = implement(operations.deleteSlaProfile)(async (input, context) => {
  const { id, projectId } = await getSlaProfile(context, input.sla_profile_id)
  await context.deps.stores.designs.remove(context.caller, id)
  return { sla_profile_id: id, project_id: projectId, deleted: true as const }
})
