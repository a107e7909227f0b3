import { workerCaller, type JobDeps } from './job.ts'
import { removeInTurns, type FindOld, type Found } from './remove-in-turns.ts'

interface Deps {
  stores: Pick<JobDeps['stores'], 'mcp' | 'tasks'>
}

/** Removes sessions of MCP servers that are past the time that whoever made them gave. Gives how many went. */
export function removeExpiredMcpSessions(find: FindOld, deps: Deps): Promise<number> {
  return removeInTurns(find, (found) => removeMcpSession(found, deps))
}

/** Removes a session with its report and task; false when it is gone already. */
export async function removeMcpSession({ workspaceId, id }: Found, { stores }: Deps): Promise<boolean> {
  const caller = workerCaller(workspaceId)
  const session = await stores.mcp.findSession(caller, id)
  if (session === undefined) return false
  const isGone = await stores.mcp.removeSession(caller, id)
  if (session.taskId !== null) await stores.tasks.remove(caller, session.taskId)
  return isGone
}
