import { operations } from '@flamegate/contract'
import { pageOf } from '../cursor.ts'
import { implement } from '../implement.ts'
import { getWorkspace } from '../targets.ts'

export const searchAuditLog = implement(operations.searchAuditLog)(async (input, context) => {
  const { caller, deps } = context
  const workspace = await getWorkspace(context, input.workspace_id)
  const { limit: _limit, cursor: _cursor, ...filters } = input
  const { rows, nextCursor } = await pageOf('audit', input, filters, async (page) => {
    const events = await deps.stores.audit.search(caller, workspace.id, page, {
      operation: input.operation,
      userId: input.user_id,
      clientId: input.client_id,
      outcome: input.outcome,
      since: input.since === undefined ? undefined : new Date(input.since),
      until: input.until === undefined ? undefined : new Date(input.until),
    })
    return events.map((event) => ({ ...event, createdAt: event.at }))
  })
  const members = await deps.stores.workspaces.listMembers(caller, workspace.id)
  const emails = new Map(members.map((member) => [member.userId, member.email]))
  return {
    workspace_id: workspace.id,
    events: rows.map((event) => ({
      id: event.id,
      at: event.at.toISOString(),
      user_id: event.userId,
      user_email: emails.get(event.userId) ?? null,
      via: event.via,
      client_id: event.clientId,
      client_name: event.clientName,
      operation: event.operation,
      effect: event.effect,
      target: event.target,
      outcome: event.outcome,
      status: event.status,
      duration_ms: event.durationMs,
      request_id: event.requestId,
    })),
    next_cursor: nextCursor,
  }
})
