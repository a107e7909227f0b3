import type { IdentityStore } from '@flamegate/operations/ports'
import { maxAccessTokenLifetimeSeconds } from './access-token-lifetime.ts'

/** The OAuth grants that were revoked lately: an access token that came from one of them is dead. */
export interface Revocations {
  has(grantId: string): boolean
  close(): Promise<void>
}

/** Follows revocations on all processes, within a second, and forgets them when no token can be left of the grant. */
export async function watchRevocations(
  identity: Pick<IdentityStore, 'watchRevocations'>,
  now: () => number = Date.now,
): Promise<Revocations> {
  // Oldest first, because a grant that is revoked again moves to the end.
  const revokedAtMs = new Map<string, number>()
  const watch = await identity.watchRevocations((grantId) => {
    revokedAtMs.delete(grantId)
    revokedAtMs.set(grantId, now())
    for (const [oldest, atMs] of revokedAtMs) {
      if (now() - atMs <= maxAccessTokenLifetimeSeconds * 1000) break
      revokedAtMs.delete(oldest)
    }
  })
  return { has: (grantId) => revokedAtMs.has(grantId), close: () => watch.close() }
}
