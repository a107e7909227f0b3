import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getProject } from '../targets.ts'
import { badgeOnWire } from './on-wire.ts'

export const getBadge = implement(operations.getBadge)(async (input, context) => {
  const { caller, deps } = context
  const project = await getProject(context, input.project_id)
  const token = await deps.stores.badges.find(caller, project.id)
  return badgeOnWire(project.id, token, deps.publicUrl)
})
