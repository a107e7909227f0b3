import { Problem } from '@flamegate/contract'
import type { Session } from '@flamegate/operations/ports'

/** How long a proof counts for changing what proves who somebody is. */
const freshForMs = 600_000

/** Whether the person of this session proved lately who they are: not just somebody at their open screen. */
export function isProofFresh({ provedAt }: Session, now: () => number): boolean {
  return provedAt !== null && now() - provedAt.getTime() < freshForMs
}

/** @throws Problem `proof_needed` */
export function requireFreshProof(session: Session, now: () => number): void {
  if (isProofFresh(session, now)) return
  throw new Problem('proof_needed', 'Prove once more that it is you, then do this within ten minutes.')
}
