import type { Sealing } from '@flamegate/operations/ports'

/** Opens what is sealed, and seals it with the key in use. */
export function resealer(
  sealing: Sealing,
): (sealed: string, of: { id: string; workspaceId: string | null }) => Promise<string> {
  return async (sealed, of) => sealing.seal(await sealing.open(sealed, of.id), of)
}
