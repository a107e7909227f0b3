import { removeRun as removeBenchResult } from '../bench-runs/remove-run.ts'
import { retainedKinds, type RetainedKind } from '../ports/index.ts'
import { workerCaller, type JobDeps } from './job.ts'
import { removeMcpSession } from './remove-expired-mcp-sessions.ts'
import { removeExpiredProfile } from './remove-expired-profiles.ts'
import { removeInTurns, type Found } from './remove-in-turns.ts'
import { removeOldRun } from './remove-old-run.ts'

type Deps = Pick<JobDeps, 'stores' | 'storage'>

const removing: Record<RetainedKind, (found: Found, deps: Deps) => Promise<boolean>> = {
  runs: removeOldRun,
  profiles: removeExpiredProfile,
  // Their reports stay, and say that it is gone.
  bench_results: ({ workspaceId, id }, deps) =>
    removeBenchResult({ caller: workerCaller(workspaceId), deps }, id),
  live_recordings: ({ workspaceId, id }, { stores }) =>
    stores.liveRecordings.remove(workerCaller(workspaceId), id),
  mcp_sessions: removeMcpSession,
}

/** No more are counted where nothing is removed. */
const countedMax = 1_000_000

/**
 * Removes what is older than the plan of its workspace keeps it, and tells how much of each kind. As often as one likes: what went is
 * not found again, and what was interrupted is.
 * @param options.isDry only counts
 */
export async function sweepPastRetention(
  find: (kind: RetainedKind, options: { limit: number }) => Promise<readonly Found[]>,
  deps: Deps,
  options: { isDry: boolean } = { isDry: false },
): Promise<Record<RetainedKind, number>> {
  const gone = { runs: 0, profiles: 0, bench_results: 0, live_recordings: 0, mcp_sessions: 0 }
  // oxlint-disable no-await-in-loop -- one after the other, so that other work gets its turn
  for (const kind of retainedKinds) {
    gone[kind] = options.isDry
      ? (await find(kind, { limit: countedMax })).length
      : await removeInTurns(
          (page) => find(kind, page),
          (found) => removing[kind](found, deps),
        )
  }
  // oxlint-enable no-await-in-loop
  return gone
}
