import { allows, clientScopes, idPrefixes, parseScopes } from '@flamegate/contract'
import type { IdentityStore } from '@flamegate/operations/ports'
import { errors } from 'oidc-provider'
import type { Adapter } from 'oidc-provider'
import { markedHash } from './client-secrets.ts'
import { protocolScopes } from './requested-access.ts'

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
      // Access tokens are not held to one project.
      if (!token || token.projectId) return undefined
      return {
        client_id: id,
        client_name: token.name,
        client_secret: markedHash(token.tokenHash),
        token_endpoint_auth_method: 'client_secret_basic',
        grant_types: ['client_credentials'],
        response_types: [],
        redirect_uris: [],
      }
    },
  }
}

/**
 * The scopes that a client may have of a resource: all, but for a machine those of its API token. A machine that names
 * some gets these; one that names none asks for all, because it has no person to ask for more later, and `parameters`
 * say so from then on.
 * @throws InvalidScope for what the API token does not cover
 */
export async function grantableScope(
  identity: ApiTokens,
  clientId: string,
  parameters: Record<string, unknown> = {},
): Promise<string> {
  if (!isMachine(clientId)) return clientScopes.join(' ')
  const granted = (await identity.findApiTokenById(clientId))?.scopes ?? []
  const { scope: requested } = parameters
  const named = (typeof requested === 'string' ? requested.split(' ') : []).filter(
    (word) => word !== '' && !protocolScopes.includes(word),
  )
  const beyond = named.filter((word) => !parseScopes(word).some((scope) => allows(granted, [scope])))
  if (beyond.length > 0) {
    throw new errors.InvalidScope('the API token of this client does not cover the scope', beyond.join(' '))
  }
  const scope = (named.length > 0 ? named : granted).join(' ')
  parameters['scope'] = scope
  return scope
}
