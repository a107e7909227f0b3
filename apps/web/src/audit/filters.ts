import { type AnswerOf, auditDecisions, type operations, type RawInputOf } from '@flamegate/contract'
import { startOfDay } from '../local-day.ts'

export type AuditEvent = AnswerOf<typeof operations.searchAuditLog>['events'][number]

/** What the address of the page says after `?`: one word each. */
export const filterNames = [
  'operation',
  'user',
  'client',
  'decision',
  'outcome',
  'target',
  'from',
  'to',
] as const
/** `from` and `to` are days, such as 2026-11-21, of the time zone of whoever looks; both are included. */
export type Filters = Partial<Record<(typeof filterNames)[number], string>>

/** The filters as the operations take them. Days that are none are left out. */
export function filterInput(
  filters: Filters,
): Omit<RawInputOf<typeof operations.searchAuditLog>, 'workspace_id' | 'limit' | 'cursor'> {
  const { operation, user, client, decision, outcome, target, from, to } = filters
  return {
    operation,
    user_id: user,
    client_id: client,
    decision: auditDecisions.find((each) => each === decision),
    outcome,
    target,
    since: startOfDay(from),
    until: startOfDay(to, 1),
  }
}
