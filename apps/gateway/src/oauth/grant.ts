import { hash } from 'node:crypto'
import { parseScopes } from '@flamegate/contract'
import type { IdentityStore } from '@flamegate/operations/ports'
import type { Provider } from 'oidc-provider'
import type { Allowance } from './allowance.ts'
import type { Resources } from './resources.ts'

type Grant = InstanceType<Provider['Grant']>

export interface GrantedRequest {
  /** With the scopes that were asked for. */
  grant: Grant
  /** Resources that the client asked for, to which additional scopes apply as well. */
  indicators: readonly string[]
  allowance: Allowance
}

/** Stores what a person allowed a client, and notes it for the list of connected apps. Gives the grant's id. */
export async function storeGrant(
  provider: Provider,
  identity: IdentityStore,
  resources: Resources,
  { grant, indicators, allowance }: GrantedRequest,
): Promise<string> {
  if (allowance.additionalScopes.length > 0) {
    for (const indicator of indicators) {
      grant.addResourceScope(indicator, allowance.additionalScopes.join(' '))
    }
  }
  const clientId = String(grant.clientId)
  const client = await provider.Client.find(clientId)
  const id = await grant.save()
  const granted = [resources.mcp, resources.rest].map((resource) => grant.getResourceScope(resource))
  await identity.oauth.noteGrant({
    id,
    userId: String(grant.accountId),
    clientId,
    clientName: client?.clientName ?? clientId,
    verifiedDomain: verifiedDomain(clientId),
    scopes: parseScopes(granted.join(' ')),
    choices: allowance.choices,
  })
  return id
}

/**
 * A grant that answers a request. Its id is the same for the same request, so that a decision that comes twice, from a
 * double click or a page that tries again, makes one grant on whatever processes it arrives.
 */
export function newGrant(
  provider: Provider,
  requestId: string,
  parties: { accountId: string | undefined; clientId: string | undefined },
): Grant {
  const grant = new provider.Grant(parties)
  grant.jti = hash('sha256', `grant for ${requestId}`, 'base64url')
  return grant
}

/** Who vouches for a client's name: the host of the metadata document that its id is the address of. */
export function verifiedDomain(clientId: string): string | null {
  return clientId.startsWith('https://') ? (URL.parse(clientId)?.host ?? null) : null
}
