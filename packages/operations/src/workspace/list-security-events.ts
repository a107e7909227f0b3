import { operations, Problem } from '@flamegate/contract'
import { pageOf } from '../cursor.ts'
import { implement } from '../implement.ts'
import { isInstallationAdmin } from './installation-admin.ts'

export const listSecurityEvents = implement(operations.listSecurityEvents)(async (
  input,
  { principal, deps },
) => {
  const { everybody, limit: _limit, cursor: _cursor, ...filters } = input
  const { users, securityEvents } = deps.stores
  if (everybody && !(await isInstallationAdmin(await users.findUser(principal.userId), principal, deps))) {
    throw new Problem(
      'insufficient_role',
      'Only administrators of this installation see what others did, and not with a credential that is limited to workspaces.',
    )
  }
  const whose = everybody ? input.user : principal.userId
  const { rows, nextCursor } = await pageOf(
    'security events',
    input,
    { everybody, ...filters },
    async (page) => {
      const events = await securityEvents.search(whose, page, {
        operation: input.action,
        outcome: input.outcome,
        since: input.since === undefined ? undefined : new Date(input.since),
        until: input.until === undefined ? undefined : new Date(input.until),
      })
      return events.map((event) => ({ ...event, createdAt: event.at }))
    },
  )
  return {
    security_events: rows.map((event) => ({
      id: event.id,
      at: event.at.toISOString(),
      user_id: event.userId === '' ? null : event.userId,
      user_email: event.userEmail,
      action: event.operation,
      outcome: event.outcome,
      client_id: event.clientId,
      client_name: event.clientName,
      target: event.target,
      ip: event.ip,
      user_agent: event.userAgent,
    })),
    next_cursor: nextCursor,
  }
})
