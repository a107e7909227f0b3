import { hash } from 'node:crypto'
import { newSecret } from '@flamegate/auth'
import type { NotedClient, OAuthClientRegistry } from '@flamegate/operations/ports'
import { errors, Provider } from 'oidc-provider'
import type { Adapter, ClientMetadata, Configuration } from 'oidc-provider'
import { describeRedirect, withoutLoopbackPort } from './client-metadata.ts'
import { isMachine } from './machine-clients.ts'

type Registration = NonNullable<NonNullable<Configuration['features']>['registration']>

/**
 * Some clients register at every log-in. A public client that registers in the same words gets the same id, so that
 * it stays one client; one with a secret or a key of its own is never shared. Who shares a client may not change it,
 * so only the others get a token to manage theirs (RFC 7592).
 */
export const registrationPolicy: Registration = {
  enabled: true,
  idFactory: ({ oidc }) => `dcr_${isShared(oidc.body) ? digest(oidc.body) : newSecret()}`,
  issueRegistrationAccessToken: ({ oidc }) => !isShared(oidc.body),
}

function isShared(metadata: ClientBody): metadata is Record<string, unknown> {
  return metadata?.['token_endpoint_auth_method'] === 'none'
}

type ClientBody = Record<string, unknown> | undefined

/** The same for the same metadata in another order; the loopback port is another one every time and means nothing. */
function digest(metadata: Record<string, unknown>): string {
  const isNative = metadata['application_type'] === 'native'
  const canonical = JSON.stringify(metadata, (_name, value: unknown) => {
    if (typeof value === 'string') return isNative ? withoutLoopbackPort(value) : value
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  })
  return hash('sha256', canonical, 'base64url')
}

/** The storage of clients, which notes those that register and forgets those that go with all that they had. */
export function withNotedClients(clients: Adapter, registry: OAuthClientRegistry): Adapter {
  return {
    ...clients,
    async upsert(id, payload, expiresIn) {
      await clients.upsert(id, payload, expiresIn)
      await registry.noteRegistration(
        noted({ clientId: id, clientName: payload.client_name, redirectUris: payload.redirect_uris }),
      )
    },
    destroy: (id) => registry.remove(id),
  }
}

/** Notes every token that a client gets. */
export function noteClientUse(
  provider: Provider,
  registry: OAuthClientRegistry,
  onFailure: (error: Error) => void,
): void {
  provider.on('grant.success', ({ oidc }) => {
    if (oidc.client) registry.noteUse(noted(oidc.client)).catch(onFailure)
  })
}

/** Makes the provider refuse clients that an administrator blocked, whatever they ask for. */
export function refuseBlockedClients({ Client }: Provider, registry: OAuthClientRegistry): void {
  const find = Client.find.bind(Client)
  Client.find = async (id) => {
    // Our own pages may name any client; it is refused when the person goes back to the provider.
    const block = Provider.ctx && (await registry.findBlock(id))
    if (block) {
      throw new errors.UnauthorizedClient(
        `The administrators of this server blocked this client: ${block.reason}`,
      )
    }
    return find(id)
  }
}

function noted({
  clientId,
  clientName,
  redirectUris,
}: {
  clientId: string
  clientName?: string | undefined
  redirectUris?: ClientMetadata['redirect_uris']
}): NotedClient {
  return {
    clientId,
    kind: isMachine(clientId) ? 'machine' : clientId.startsWith('https://') ? 'document' : 'registered',
    name: clientName ?? clientId,
    redirectHosts: [...new Set(redirectUris?.map((uri) => describeRedirect(withoutLoopbackPort(uri)).host))],
  }
}
