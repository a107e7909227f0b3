import type { IdentityStore } from '@flamegate/operations/ports'
import { maxAccessTokenLifetimeSeconds } from './access-token-lifetime.ts'

/** The OAuth grants that were revoked or changed lately: access tokens that came from them before are dead. */
export interface Revocations {
  has(grantId: string): boolean
  /** Whether the person changed what the client may do since a token said this version of it. */
  isOutdated(grantId: string, choicesVersion: number): boolean
  close(): Promise<void>
}

/** Follows revocations on all processes, within a second, and forgets them when no token can be left of the grant. */
export async function watchRevocations(
  identity: Pick<IdentityStore, 'watchRevocations'>,
  now: () => number = Date.now,
): Promise<Revocations> {
  // Oldest first, because a grant that is told of again moves to the end. Every version of a revoked one is too old.
  const revoked = new Map<string, { atMs: number; belowVersion: number }>()
  const watch = await identity.watchRevocations((grantId, choicesVersion = Infinity) => {
    const belowVersion = Math.max(choicesVersion, revoked.get(grantId)?.belowVersion ?? 0)
    revoked.delete(grantId)
    revoked.set(grantId, { atMs: now(), belowVersion })
    for (const [oldest, { atMs }] of revoked) {
      if (now() - atMs <= maxAccessTokenLifetimeSeconds * 1000) break
      revoked.delete(oldest)
    }
  })
  return {
    has: (grantId) => revoked.get(grantId)?.belowVersion === Infinity,
    isOutdated: (grantId, choicesVersion) => choicesVersion < (revoked.get(grantId)?.belowVersion ?? 0),
    close: () => watch.close(),
  }
}
