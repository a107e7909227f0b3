import type { operations, OutputOf } from '@flamegate/contract'
import { bandText, parseDocument, type SlaBand, type VirtualUser, walkActions } from '@flamegate/loadtest'
import type { DesignObject } from '../ports/index.ts'

type SlaProfileOnWire = OutputOf<typeof operations.setSlaProfile>['sla_profile']

/** @param users Virtual users of the project that are attached, by id */
export function slaProfileOnWire(
  object: DesignObject,
  users: ReadonlyMap<string, VirtualUser>,
): SlaProfileOnWire {
  const { name, description, bands, attachments } = parseDocument('sla_profile', object.document)
  return {
    id: object.id,
    project_id: object.projectId,
    name,
    description,
    version: object.version,
    bands: bands.map(bandOnWire),
    attachments: attachments.map((attachment) => ({
      ...attachment,
      of: nameOf(users.get(attachment.virtual_user_id), attachment.action_id),
    })),
    updated_at: object.updatedAt.toISOString(),
  }
}

export function bandOnWire(band: SlaBand): SlaProfileOnWire['bands'][number] {
  return { text: bandText(band), ...band }
}

function nameOf(user: VirtualUser | undefined, actionId: string | null): string | null {
  if (user === undefined || actionId === null) return user?.name ?? null
  const found = Array.from(walkActions(user)).find(({ action }) => action.id === actionId)
  return found === undefined ? null : `${user.name}, ${found.action.name}`
}
