import { parseDocument, type SlaAttachment, type VirtualUser } from '@flamegate/loadtest'
import type { Reading } from '../implement.ts'

/** Virtual users of a project that something is attached to, by id; what is gone is left out. */
export async function attachedUsers(
  { caller, deps }: Reading,
  projectId: string,
  attachments: readonly SlaAttachment[],
): Promise<ReadonlyMap<string, VirtualUser>> {
  const users = new Map<string, VirtualUser>()
  for (const id of new Set(attachments.map((each) => each.virtual_user_id))) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other, for they may be large
    const object = await deps.stores.designs.find(caller, id)
    if (object?.kind === 'virtual_user' && object.projectId === projectId)
      users.set(id, parseDocument('virtual_user', object.document))
  }
  return users
}
