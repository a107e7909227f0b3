import { randomBytes } from 'node:crypto'
import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getProject } from '../targets.ts'
import { badgeOnWire } from './on-wire.ts'

export const setBadge = implement(operations.setBadge)(async (input, context) => {
  const { caller, deps } = context
  const { badges } = deps.stores
  const project = await getProject(context, input.project_id)
  const place = { workspaceId: project.workspaceId, projectId: project.id }
  if (!input.is_public) {
    await badges.remove(caller, place)
    return badgeOnWire(project.id, undefined, deps.publicUrl)
  }
  const before = input.new_address ? undefined : await badges.find(caller, project.id)
  const token = before ?? randomBytes(16).toString('hex')
  if (before === undefined) await badges.set(caller, place, token)
  return badgeOnWire(project.id, token, deps.publicUrl)
})
