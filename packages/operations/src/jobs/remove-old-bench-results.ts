import { removeRun } from '../bench-runs/remove-run.ts'
import { workerCaller, type JobDeps } from './job.ts'
import { removeInTurns, type FindOld } from './remove-in-turns.ts'

/** Removes what was measured in runs that ended long ago. Their reports stay, and say that it is gone. Gives how many went. */
export function removeOldBenchResults(
  find: FindOld,
  deps: Pick<JobDeps, 'stores' | 'storage'>,
): Promise<number> {
  return removeInTurns(find, ({ workspaceId, id }) =>
    removeRun({ caller: workerCaller(workspaceId), deps }, id),
  )
}
