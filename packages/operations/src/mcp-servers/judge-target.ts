import { mcpReport } from '@flamegate/mcp-profiling'
import type { CallContext } from '../implement.ts'
import { alertThresholdsOf } from '../live/alert-thresholds-of.ts'
import type { McpSession, McpTarget } from '../ports/index.ts'
import { judgedOfReport } from './judge-report.ts'

/** Sessions that are looked at for the latest one under load. */
const lookedAt = 20

/** The latest session of a target that was measured under load: what it is judged by. */
export async function latestUnderLoad(
  { caller, deps }: CallContext,
  { id }: Pick<McpTarget, 'id'>,
): Promise<McpSession | undefined> {
  const sessions = await deps.stores.mcp.reported(caller, id, { limit: lookedAt })
  return sessions.find(({ figures }) => figures?.requests_per_second != null)
}

/** Holds the latest session of a target against its thresholds, and opens and ends alerts. */
export async function judgeMcpTarget(
  context: CallContext,
  target: Pick<McpTarget, 'id' | 'workspaceId' | 'projectId'>,
): Promise<void> {
  const { caller, deps } = context
  const watched = await deps.stores.liveAlerts.watchedMcpTarget(caller, target)
  if (watched.thresholds.length === 0 && watched.lasting.length === 0) return
  const session = await latestUnderLoad(context, target)
  const left = session && (await deps.stores.mcp.report(caller, session.id))
  if (session === undefined || left?.report == null) return
  const thresholds = alertThresholdsOf(watched.thresholds, 'mcp_target', target.id)
  const judged = judgedOfReport(mcpReport.parse(left.report), thresholds, watched)
  if (judged.opened.length + judged.closed.length === 0) return
  const { id, workspaceId, projectId } = target
  const place = { id, workspaceId, projectId, sessionId: session.id }
  await deps.stores.liveAlerts.noteMcpSession(caller, place, judged)
}
