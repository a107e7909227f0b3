import { workerCaller, type JobDeps } from './job.ts'
import type { Found } from './remove-in-turns.ts'

/** Of one run there are no more. */
const filesMax = 1000

/** Removes a run with its results and the files that they were read from, the bytes first. Profiles of it stay. */
export async function removeOldRun(
  { workspaceId, id }: Found,
  { stores, storage }: Pick<JobDeps, 'stores' | 'storage'>,
): Promise<boolean> {
  const caller = workerCaller(workspaceId)
  const files = await stores.files.list(caller, { runId: id }, { limit: filesMax })
  for (const file of files.filter(({ purpose }) => purpose === 'import_results')) {
    // oxlint-disable no-await-in-loop -- one after the other
    await storage.remove(file.storageKey)
    await stores.files.remove(caller, file.id)
    // oxlint-enable no-await-in-loop
  }
  return stores.runs.remove(caller, id)
}
