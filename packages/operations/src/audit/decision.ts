import type { Problem } from '@flamegate/contract'
import type { AuditEvent } from '../ports/index.ts'

/** How it stands with a call that wants to be confirmed; `mismatch`: by a token that was not made for it. */
export type Confirmation = 'required' | 'declined' | 'mismatch' | 'given'

/** Statuses with which somebody is turned away, rather than told that something is wrong with what they asked. */
const refusingStatuses: ReadonlySet<number> = new Set([401, 403, 429])

/**
 * Whether a call that ended so was let through: scope, role, connection, limits and confirmations refuse. One that has
 * to be confirmed first is neither let through nor refused.
 */
export function decisionOn(
  problem: Problem | undefined,
  confirmation: Confirmation | undefined,
): AuditEvent['decision'] {
  const letThrough = confirmation === 'given' ? 'confirmed' : 'allowed'
  if (problem === undefined) return letThrough
  if (problem.code === 'confirmation_required') return 'confirmation_required'
  return refusingStatuses.has(problem.status) || problem.code.startsWith('confirmation')
    ? 'refused'
    : letThrough
}
