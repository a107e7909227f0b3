import { Problem } from '@flamegate/contract'
import type { CallContext } from '../implement.ts'
import { pageOf } from '../cursor.ts'
import { limitsOf } from '../limits/workspace-limits.ts'
import type { AuditEvent, AuditFilter, StoredAuditEvent } from '../ports/index.ts'
import { getWorkspace } from '../targets.ts'

/** What both the search and the export take. */
export interface AuditQuery {
  workspace_id: string
  operation?: string | undefined
  user_id?: string | undefined
  client_id?: string | undefined
  decision?: AuditEvent['decision'] | undefined
  outcome?: string | undefined
  target?: string | undefined
  since?: string | undefined
  until?: string | undefined
  limit: number
  cursor?: string | undefined
}

/**
 * One page of a workspace's audit log, with the e-mail addresses of its members.
 * @throws Problem `connection_limited` for a caller who is held to one project
 */
export async function auditPage(
  context: CallContext,
  listing: string,
  input: AuditQuery,
): Promise<{ workspaceId: string; events: ReturnType<typeof eventOnWire>[]; nextCursor: string | null }> {
  const { caller, deps, principal } = context
  if (principal.projectId !== undefined) {
    throw new Problem(
      'connection_limited',
      'This address is about one project, and the audit log is about the whole workspace. Read it at another address.',
    )
  }
  const workspace = await getWorkspace(context, input.workspace_id)
  const members = await deps.stores.workspaces.listMembers(caller, workspace.id)
  const userId = members.find(({ email }) => email === input.user_id)?.userId ?? input.user_id
  const { limit: _limit, cursor: _cursor, ...filters } = input
  const { rows, nextCursor } = await pageOf(listing, input, filters, async (page) => {
    const filter = {
      ...filterOf(input),
      userId,
      since: laterOf(input.since, await keptSince(context, workspace.id)),
    }
    const events = await deps.stores.audit.search(caller, workspace.id, page, filter)
    return events.map((event) => ({ ...event, createdAt: event.at }))
  })
  const emails = new Map(members.map((member) => [member.userId, member.email]))
  return {
    workspaceId: workspace.id,
    events: rows.map((event) => eventOnWire(event, emails.get(event.userId))),
    nextCursor,
  }
}

/** From when on the plan of the workspace keeps events; undefined: all of them. */
async function keptSince({ deps }: CallContext, workspaceId: string): Promise<Date | undefined> {
  const { audit: days } = (await limitsOf(deps, workspaceId)).retentionDays
  return days === null ? undefined : new Date(Date.now() - days * 86_400_000)
}

function laterOf(since: string | undefined, kept: Date | undefined): Date | undefined {
  if (since === undefined) return kept
  const asked = new Date(since)
  return kept !== undefined && kept > asked ? kept : asked
}

function filterOf(input: AuditQuery): Omit<AuditFilter, 'since'> {
  return {
    operation: input.operation,
    clientId: input.client_id,
    decision: input.decision,
    outcome: input.outcome,
    target: input.target,
    until: input.until === undefined ? undefined : new Date(input.until),
  }
}

function eventOnWire(event: StoredAuditEvent, email: string | undefined) {
  return {
    id: event.id,
    at: event.at.toISOString(),
    user_id: event.userId,
    user_email: email ?? null,
    via: event.via,
    client_id: event.clientId,
    client_name: event.clientName,
    operation: event.operation,
    effect: event.effect,
    target: event.target,
    arguments_digest: event.argumentsDigest,
    decision: event.decision,
    outcome: event.outcome,
    status: event.status,
    duration_ms: event.durationMs,
    answer_bytes: event.answerBytes,
    request_id: event.requestId,
    trace_id: event.traceId,
    ip: event.ip,
    link: event.link,
  }
}
