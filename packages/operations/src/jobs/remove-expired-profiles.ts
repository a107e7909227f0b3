import { taskOfPushed } from '../profiles/task-of-pushed.ts'
import { workerCaller, type JobDeps } from './job.ts'
import { removeInTurns, type FindOld, type Found } from './remove-in-turns.ts'

/** Removes profiles that are past their time, with their files and tasks, the bytes first. Gives how many went. */
export function removeExpiredProfiles(
  find: FindOld,
  deps: Pick<JobDeps, 'stores' | 'storage'>,
): Promise<number> {
  return removeInTurns(find, (found) => removeExpiredProfile(found, deps))
}

/** One of them; false when there is none. */
export async function removeExpiredProfile(
  { workspaceId, id }: Found,
  { stores, storage }: Pick<JobDeps, 'stores' | 'storage'>,
): Promise<boolean> {
  const caller = workerCaller(workspaceId)
  const profile = await stores.profiles.find(caller, id)
  const file = profile && (await stores.files.find(caller, profile.fileId))
  if (file) await storage.remove(file.storageKey)
  const isGone = await stores.profiles.remove(caller, id)
  await stores.tasks.remove(caller, taskOfPushed(id))
  return isGone
}
