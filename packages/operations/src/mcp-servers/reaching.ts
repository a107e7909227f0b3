import { operations, Problem } from '@flamegate/contract'
import { mcpReport, type McpReport } from '@flamegate/mcp-profiling'
import type { CallContext } from '../implement.ts'
import type { McpSession, McpTargetWithLast } from '../ports/index.ts'
import { reach } from '../targets.ts'

/** An MCP target among those that the caller may read. */
export async function getMcpTarget(context: CallContext, id: string): Promise<McpTargetWithLast> {
  const target = await context.deps.stores.mcp.findTarget(context.caller, id)
  if (target === undefined) {
    throw new Problem('mcp_target_not_found', 'No such MCP target in your workspaces.', {
      hint: [operations.listMcpTargets, 'shows those of a project'],
    })
  }
  await reach(context, target.workspaceId, target.id)
  return target
}

/** A session of an MCP target among those that the caller may read. */
export async function getMcpSession(context: CallContext, id: string): Promise<McpSession> {
  const session = await context.deps.stores.mcp.findSession(context.caller, id)
  if (session === undefined || (session.expiresAt !== null && session.expiresAt <= new Date())) {
    throw new Problem('mcp_session_not_found', 'No such session in your workspaces, or not any more.', {
      hint: [operations.getMcpMetrics, 'shows those of an MCP target'],
    })
  }
  await reach(context, session.workspaceId, session.id)
  return session
}

/** The report of a session that has one. */
export async function reportOf(
  { caller, deps }: CallContext,
  session: Pick<McpSession, 'id'>,
): Promise<McpReport> {
  const left = await deps.stores.mcp.report(caller, session.id)
  if (left?.report == null) throw noReport(`Session ${session.id} has no report.`)
  return mcpReport.parse(left.report)
}

export function noReport(detail: string): Problem {
  return new Problem('mcp_session_not_found', detail, {
    hint: [operations.profileMcpServer, 'measures one'],
  })
}
