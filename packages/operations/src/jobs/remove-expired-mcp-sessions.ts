import { workerCaller, type JobDeps } from './job.ts'
import { removeInTurns, type FindOld } from './remove-in-turns.ts'

/** Removes sessions of MCP servers that are past their time, with their reports and tasks. Gives how many went. */
export function removeExpiredMcpSessions(
  find: FindOld,
  { stores }: { stores: Pick<JobDeps['stores'], 'mcp' | 'tasks'> },
): Promise<number> {
  return removeInTurns(find, async ({ workspaceId, id }) => {
    const caller = workerCaller(workspaceId)
    const session = await stores.mcp.findSession(caller, id)
    if (session === undefined) return false
    const isGone = await stores.mcp.removeSession(caller, id)
    if (session.taskId !== null) await stores.tasks.remove(caller, session.taskId)
    return isGone
  })
}
