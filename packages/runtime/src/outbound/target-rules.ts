import { allowedTargets } from './allowed-targets.ts'
import { findProof, type TargetProof } from './find-proof.ts'
import { createTargetGate, type TargetGate } from './target-gate.ts'

/** What the installation says of hosts that virtual users are aimed at, out of its settings. */
export function targetRules(
  entries: readonly string[],
  resolveTxt?: (name: string) => Promise<string[][]>,
): {
  /** The setting itself, for agents, which decide by the same rules. */
  allowed: readonly string[]
  /** Whether every project may aim at the host, without a proof. */
  isAllowed(host: string): boolean
  findProof(host: string, token: string): Promise<TargetProof>
  gate(isVerified: (host: string) => boolean): TargetGate
} {
  const allowed = allowedTargets(entries)
  return {
    allowed: entries,
    isAllowed: (host) => allowed.hasHost(host),
    findProof: (host, token) =>
      findProof(host, token, { allowed, ...(resolveTxt === undefined ? {} : { resolveTxt }) }),
    gate: (isVerified) => createTargetGate({ allowed, isVerified }),
  }
}
