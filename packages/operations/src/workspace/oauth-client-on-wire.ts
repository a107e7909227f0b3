import type { operations, OutputOf } from '@flamegate/contract'
import type { OAuthClient } from '../ports/index.ts'
import { isoOrNull } from '../wire.ts'

type ClientOnWire = OutputOf<typeof operations.listOauthClients>['oauth_clients'][number]

export function oauthClientOnWire(client: OAuthClient): ClientOnWire {
  return {
    client_id: client.clientId,
    name: client.name,
    kind: client.kind,
    redirect_hosts: client.redirectHosts,
    first_seen_at: client.createdAt.toISOString(),
    first_used_at: isoOrNull(client.firstUsedAt),
    last_used_at: isoOrNull(client.lastUsedAt),
    grant_count: client.grantCount,
    blocked_at: isoOrNull(client.blockedAt),
    block_reason: client.blockReason,
  }
}
