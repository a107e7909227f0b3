import type { Caller } from '@flamegate/contract'
import type { Deps } from '../implement.ts'
import { sourceJobNames } from '../ports/index.ts'
import { uploadMinutes } from '../uploads.ts'

/** Longer than any upload is waited for. */
const awaitedMs = 2 * uploadMinutes * 60_000

/**
 * Removes a file that was given to be imported, the bytes first. False when there is none, or it is waited for.
 */
export async function removeSource(
  { stores, storage }: Pick<Deps, 'stores' | 'storage'>,
  caller: Caller,
  fileId: string,
): Promise<boolean> {
  const file = await stores.files.find(caller, fileId)
  if (file === undefined || !sourceJobNames.includes(file.purpose)) return false
  // Its bytes may still be on their way, and nobody would know of them.
  const isYoung = Date.now() - file.createdAt.getTime() < awaitedMs
  if (file.status === 'PENDING' && isYoung && (await storage.find(file.storageKey)) === undefined)
    return false
  await storage.remove(file.storageKey)
  await stores.files.remove(caller, file.id)
  return true
}
