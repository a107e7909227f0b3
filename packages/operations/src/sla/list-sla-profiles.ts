import { operations } from '@flamegate/contract'
import { parseDocument, suggestedBands } from '@flamegate/loadtest'
import { implement } from '../implement.ts'
import { getProject } from '../targets.ts'
import { attachedUsers } from './attached-users.ts'
import { bandOnWire, slaProfileOnWire } from './on-wire.ts'

export const listSlaProfiles = implement(operations.listSlaProfiles)(async (input, context) => {
  const project = await getProject(context, input.project_id)
  const objects = await context.deps.stores.designs.listDocuments(context.caller, project.id, 'sla_profile')
  const attachments = objects.flatMap(({ document }) => parseDocument('sla_profile', document).attachments)
  const users = await attachedUsers(context, project.id, attachments)
  return {
    project_id: project.id,
    sla_profiles: objects.map((object) => slaProfileOnWire(object, users)),
    suggested_bands: suggestedBands().map(bandOnWire),
  }
})
