import type { Problem } from '@flamegate/contract'
import type { AuditEvent } from '../ports/index.ts'

/** Statuses with which somebody is turned away, rather than told that something is wrong with what they asked. */
const refusingStatuses: ReadonlySet<number> = new Set([401, 403, 429])

/** Whether a call that ended so was let through: scope, role, connection, limits and confirmations refuse. */
export function decisionOn(problem: Problem | undefined): AuditEvent['decision'] {
  if (problem === undefined) return 'allowed'
  return refusingStatuses.has(problem.status) || problem.code.startsWith('confirmation')
    ? 'refused'
    : 'allowed'
}
