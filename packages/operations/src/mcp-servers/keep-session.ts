import { newId, type McpFigures } from '@flamegate/contract'
import type { McpReport } from '@flamegate/mcp-profiling'
import type { CallContext } from '../implement.ts'
import { mcpBounds } from '../limits/mcp-limits.ts'
import { Conflict, type McpReported, type McpSession, type McpTarget } from '../ports/index.ts'
import { judgeMcpTarget } from './judge-target.ts'
import { reportedOf } from './read-report.ts'
import { refused, tooManyTargets } from './refused.ts'

type Place = Pick<McpTarget, 'workspaceId' | 'projectId'>

/** Stores a report that somebody measured, as a session of a target. */
export async function keepUploaded(
  context: CallContext,
  target: McpTarget,
  {
    command,
    reported,
    label,
    retentionHours,
  }: {
    command: string
    reported: McpReported
    label: string | null
    retentionHours: number | undefined
  },
): Promise<string> {
  const { caller, deps } = context
  const bounds = await mcpBounds(deps, target.workspaceId)
  const { workspaceId, projectId, id: mcpTargetId } = target
  const id = newId('mcpSession')
  const refusal = await deps.stores.mcp.addSession(
    caller,
    {
      id,
      workspaceId,
      projectId,
      mcpTargetId,
      command,
      label,
      expiresAt: retentionHours === undefined ? null : new Date(Date.now() + retentionHours * 3_600_000),
    },
    reported,
    bounds,
  )
  if (refusal !== undefined) throw refused(refusal, bounds)
  await judgeMcpTarget(context, target)
  return id
}

/** Stores what a collector measured of a session. */
export async function keepOrdered(
  context: CallContext,
  session: McpSession,
  report: McpReport | undefined,
  result: Record<string, unknown> | undefined,
): Promise<McpFigures | null> {
  const { caller, deps } = context
  const bounds = await mcpBounds(deps, session.workspaceId)
  const reported =
    report === undefined
      ? {
          report: null,
          result: result ?? null,
          startedAt: new Date(),
          serverVersion: null,
          figures: null,
          profileIds: [],
        }
      : await reportedOf(context, session.projectId, report, result)
  const refusal = await deps.stores.mcp.keepReport(caller, session, reported, bounds)
  if (refusal !== undefined) throw refused(refusal, bounds)
  const { workspaceId, projectId, mcpTargetId: id } = session
  await judgeMcpTarget(context, { id, workspaceId, projectId })
  return reported.figures
}

/** The target of a project that a report is of: by name, else by its address; else a new one. */
export async function targetOfReport(
  context: CallContext,
  { workspaceId, projectId }: Place,
  report: McpReport,
  name: string | undefined,
): Promise<{ target: McpTarget; isNew: boolean }> {
  const { caller, deps } = context
  const { target: of } = report
  const named = {
    name: name ?? nameOf(of.name),
    // A name that was given is meant.
    address: name === undefined ? (of.url ?? of.command?.join(' ') ?? null) : null,
  }
  const known = await deps.stores.mcp.findTargetNamed(caller, projectId, named)
  if (known !== undefined) return { target: known, isNew: false }
  const bounds = await mcpBounds(deps, workspaceId)
  try {
    const added = await deps.stores.mcp.addTarget(
      caller,
      {
        id: newId('mcpTarget'),
        workspaceId,
        projectId,
        name: named.name,
        address: (of.url ?? of.command?.join(' '))?.slice(0, 1000).replaceAll(/[\n\r]+/g, ' ') ?? null,
        transport: of.transport,
        operations: [],
        arguments: {},
        note: '',
      },
      bounds,
    )
    if (added === undefined) throw tooManyTargets(bounds)
    return { target: added, isNew: true }
  } catch (error) {
    // Another report of it came at the same time.
    const other =
      error instanceof Conflict ? await deps.stores.mcp.findTargetNamed(caller, projectId, named) : undefined
    if (other === undefined) throw error
    return { target: other, isNew: false }
  }
}

/** What a report calls its server, as a name that collectors may have in their files. */
function nameOf(text: string): string {
  const name = text
    .replace(/^https?:\/\//, '')
    .replaceAll(/[^\w.-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 60)
  return name === '' ? 'server' : name
}
