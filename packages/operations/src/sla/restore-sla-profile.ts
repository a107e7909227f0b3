import { operations, Problem } from '@flamegate/contract'
import { parseDocument } from '@flamegate/loadtest'
import { implement } from '../implement.ts'
import { attachedUsers } from './attached-users.ts'
import { slaProfileOnWire } from './on-wire.ts'
import { getSlaProfile } from './reaching.ts'

export const restoreSlaProfile = implement(operations.restoreSlaProfile)(async (input, context) => {
  const { id, projectId } = await getSlaProfile(context, input.sla_profile_id, { evenDeleted: true })
  const restored = await context.deps.stores.designs.restore(context.caller, id)
  if (restored === undefined) throw new Problem('sla_profile_not_found', 'It is gone with its project.')
  const { attachments } = parseDocument('sla_profile', restored.document)
  return { sla_profile: slaProfileOnWire(restored, await attachedUsers(context, projectId, attachments)) }
})
