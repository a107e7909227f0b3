import { removeSource } from '../virtual-users/remove-source.ts'
import { workerCaller, type JobDeps } from './job.ts'
import { removeInTurns, type FindOld } from './remove-in-turns.ts'

/** Removes what was given to be imported and is still there: the import was called off, or nobody came to its end. */
export function removeLeftSources(find: FindOld, deps: Pick<JobDeps, 'stores' | 'storage'>): Promise<number> {
  return removeInTurns(find, ({ workspaceId, id }) => removeSource(deps, workerCaller(workspaceId), id))
}
