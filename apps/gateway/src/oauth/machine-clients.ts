import { timingSafeEqual } from 'node:crypto'
import { hashSecret } from '@flamegate/auth'
import { idPrefixes, scopeNames } from '@flamegate/contract'
import type { Scope } from '@flamegate/contract'
import type { IdentityStore } from '@flamegate/operations/ports'
import type { Adapter, Provider } from 'oidc-provider'

/**
 * Machines get access tokens with client credentials (RFC 6749, 4.4; the MCP extension "OAuth Client Credentials"):
 * the client id is the id of an API token and the client secret is the API token itself. What comes of it acts as
 * that API token, and only as long as it is good.
 */
type ApiTokens = Pick<IdentityStore, 'findApiTokenById'>

/** Whether a client id is that of an API token. */
export function isMachine(clientId: string): boolean {
  return clientId.startsWith(`${idPrefixes.apiToken}_`)
}

/** The storage of clients, with API tokens among them. */
export function withMachineClients(clients: Adapter, identity: ApiTokens): Adapter {
  return {
    ...clients,
    async find(id) {
      if (!isMachine(id)) return clients.find(id)
      const token = await identity.findApiTokenById(id)
      if (!token) return undefined
      return {
        client_id: id,
        client_name: token.name,
        // Only its hash is known; `compareSecretsByHash` minds that.
        client_secret: token.tokenHash,
        token_endpoint_auth_method: 'client_secret_basic',
        grant_types: ['client_credentials'],
        response_types: [],
        redirect_uris: [],
      }
    },
  }
}

/** Makes the provider compare hashes of client secrets: of a machine's it knows nothing else. */
export function compareSecretsByHash({ Client }: Provider): void {
  Client.prototype.compareClientSecret = function (shown) {
    const known = String(this.clientSecret)
    const expected = isMachine(this.clientId) ? known : hashSecret(known)
    return timingSafeEqual(Buffer.from(hashSecret(shown)), Buffer.from(expected))
  }
}

/** The scopes that a client may have of a resource: all, but for a machine those of its API token. */
export async function grantableScopes(identity: ApiTokens, clientId: string): Promise<readonly Scope[]> {
  if (!isMachine(clientId)) return scopeNames
  return (await identity.findApiTokenById(clientId))?.scopes ?? []
}
