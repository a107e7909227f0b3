import { workerCaller, type JobDeps } from './job.ts'
import { removeInTurns, type FindOld } from './remove-in-turns.ts'

/** Removes files that nobody needs any more, the bytes first. Gives how many went. */
export function removeFoundFiles(
  find: FindOld,
  { stores, storage }: Pick<JobDeps, 'stores' | 'storage'>,
): Promise<number> {
  return removeInTurns(find, async ({ workspaceId, id }) => {
    const caller = workerCaller(workspaceId)
    const file = await stores.files.find(caller, id)
    if (file === undefined) return false
    await storage.remove(file.storageKey)
    await stores.files.remove(caller, id)
    return true
  })
}
