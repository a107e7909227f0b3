import { operations } from '@flamegate/contract'
import { mcpReport, type McpReport } from '@flamegate/mcp-profiling'
import { implement, type CallContext } from '../implement.ts'
import type { McpSession, McpTarget } from '../ports/index.ts'
import { mcpSessionOnWire } from './on-wire.ts'
import { getMcpSession, getMcpTarget, noReport } from './reaching.ts'
import { operationFiguresOf, usedUnderLoad } from './report-figures.ts'

export const getMcpMetrics = implement(operations.getMcpMetrics)(async (input, context) => {
  const target = await getMcpTarget(context, input.mcp_target_id)
  const { caller, deps } = context
  const label = input.label === undefined ? {} : { label: input.label }
  const named =
    input.mcp_session_id === undefined ? undefined : await sessionOf(context, target, input.mcp_session_id)
  const sessions = await deps.stores.mcp.reported(caller, target.id, {
    limit: input.trend + 1,
    ...label,
    ...(named?.startedAt == null ? {} : { notAfter: named.startedAt }),
  })
  const session = named ?? sessions[0]
  const left = session && (await deps.stores.mcp.report(caller, session.id))
  const report = left?.report == null ? undefined : mcpReport.parse(left.report)
  return {
    project_id: target.projectId,
    mcp_target_id: target.id,
    target: target.name,
    session: session === undefined ? null : mcpSessionOnWire(session),
    operations: report === undefined ? [] : operationFiguresOf(report),
    ...(report === undefined ? nothing : measuredIn(report)),
    trend: sessions.flatMap(({ id, startedAt, command, label: of, figures }) =>
      startedAt === null || figures === null
        ? []
        : [{ session_id: id, started_at: startedAt.toISOString(), command, label: of, figures }],
    ),
    notes: report?.notes ?? [],
  }
})

const nothing = { connection: null, resources: null, gc: null, event_loop_delay: null }

function measuredIn(report: McpReport) {
  const { connection, inside } = report
  const used = usedUnderLoad(report)
  return {
    connection: {
      process_start_ms: connection.processStartMs,
      oauth_ms: connection.oauthMs,
      initialize_ms: connection.initializeMs,
      tools_list_ms: connection.toolsListMs,
      tools_list_bytes: connection.toolsListBytes,
      tools_list_tokens: connection.toolsListTokens,
      tools: connection.tools,
    },
    resources:
      used === undefined
        ? null
        : {
            cpu_percent: used.cpuPercent,
            rss_bytes: used.rssBytes,
            read_bytes: used.readBytes,
            write_bytes: used.writeBytes,
          },
    gc:
      inside?.gc == null
        ? null
        : {
            count: inside.gc.count,
            total_ms: inside.gc.totalMs,
            max_ms: inside.gc.maxMs,
            share: inside.gc.share,
          },
    event_loop_delay:
      inside?.eventLoopDelay == null
        ? null
        : {
            mean_ms: inside.eventLoopDelay.meanMs,
            p99_ms: inside.eventLoopDelay.p99Ms,
            max_ms: inside.eventLoopDelay.maxMs,
          },
  }
}

/** A session of a target, by its id. */
export async function sessionOf(
  context: CallContext,
  target: Pick<McpTarget, 'id' | 'name'>,
  id: string,
): Promise<McpSession> {
  const session = await getMcpSession(context, id)
  if (session.mcpTargetId !== target.id) throw noReport(`Session ${id} is not of ${target.name}.`)
  return session
}
