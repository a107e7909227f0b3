import type { VirtualUser } from '../model/virtual-user.ts'

/** The same virtual user with other ids of servers; those that are not in the map stay. */
export function renameServers(document: VirtualUser, newIds: ReadonlyMap<string, string>): VirtualUser {
  const renamed = structuredClone(document)
  for (const holder of serverHolders(renamed.actions))
    holder.server_id = newIds.get(holder.server_id) ?? holder.server_id
  return renamed
}

/** Whatever in a document names a server: requests, what they load, connections, pages. */
export function* serverHolders(part: unknown): Generator<{ server_id: string }> {
  if (typeof part !== 'object' || part === null) return
  if (namesServer(part)) yield part
  for (const inside of Object.values(part)) yield* serverHolders(inside)
}

function namesServer(part: object): part is { server_id: string } {
  return 'server_id' in part && typeof part.server_id === 'string'
}
