import { workerCaller, type JobDeps } from './job.ts'
import { removeInTurns, type FindOld } from './remove-in-turns.ts'

/** Removes validations that are past their time, with their files and tasks, the bytes first. Gives how many went. */
export function removeExpiredValidations(
  find: FindOld,
  { stores, storage }: Pick<JobDeps, 'stores' | 'storage'>,
): Promise<number> {
  return removeInTurns(find, async ({ workspaceId, id }) => {
    const caller = workerCaller(workspaceId)
    const validation = await stores.validations.find(caller, id)
    if (validation === undefined) return false
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    for (const { storageKey } of await stores.validations.listFiles(caller, id))
      await storage.remove(storageKey)
    const isGone = await stores.validations.remove(caller, id)
    await stores.tasks.remove(caller, validation.taskId)
    return isGone
  })
}
