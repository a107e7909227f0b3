import { parseScopes, scopes as scopeTexts } from '@flamegate/contract'
import type { Scope } from '@flamegate/contract'
import type { IdentityStore, User } from '@flamegate/operations/ports'
import type { Provider } from 'oidc-provider'
import { describeRedirect } from './client-metadata.ts'
import type { Resources } from './resources.ts'

/** An authorization request that waits for its person. */
export type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>

/** What the consent page shows. */
export interface ConsentView {
  client: {
    client_id: string
    name: string
    uri?: string
    logo?: string
    /** Whether the name is vouched for by the domain that the client id is an address of. */
    verified: boolean
  }
  /** Where the answer goes: a host, or an app's own scheme. */
  redirect_host: string
  /** Whether it goes to a program on the person's own machine, which anybody may have started. */
  is_loopback: boolean
  scopes: { scope: Scope; description: string }[]
  resource: string
  user: { email: string; name: string }
  expires_at: string
}

export async function describeConsent(
  provider: Provider,
  interaction: Interaction,
  user: User,
  resources: Resources,
): Promise<ConsentView> {
  const clientId = String(interaction.params['client_id'])
  const client = await provider.Client.find(clientId)
  const redirect = describeRedirect(String(interaction.params['redirect_uri']))
  return {
    client: {
      client_id: clientId,
      name: client?.clientName ?? clientId,
      uri: httpsOnly(client?.clientUri),
      logo: httpsOnly(client?.logoUri),
      verified: clientId.startsWith('https://'),
    },
    redirect_host: redirect.host,
    is_loopback: redirect.isLoopback,
    scopes: parseScopes(String(interaction.params['scope'])).map((scope) => ({
      scope,
      description: scopeTexts[scope],
    })),
    resource: requestedResource(interaction) ?? resources.mcp,
    user: { email: user.email, name: user.name },
    expires_at: new Date(interaction.exp * 1000).toISOString(),
  }
}

/** Grants what was asked for, in the grant that the client has already or in a new one, and notes it. */
export async function grantRequested(
  provider: Provider,
  interaction: Interaction,
  identity: IdentityStore,
  resources: Resources,
): Promise<string> {
  const userId = interaction.session?.accountId
  const clientId = String(interaction.params['client_id'])
  const client = await provider.Client.find(clientId)
  const existing = interaction.grantId && (await provider.Grant.find(interaction.grantId))
  const grant = existing || new provider.Grant({ accountId: userId, clientId })
  const { missingOIDCScope, missingResourceScopes } = interaction.prompt.details as MissingScopes
  if (missingOIDCScope) grant.addOIDCScope(missingOIDCScope.join(' '))
  for (const [resource, missing] of Object.entries(missingResourceScopes ?? {})) {
    grant.addResourceScope(resource, missing.join(' '))
  }
  const id = await grant.save()
  const granted = [resources.mcp, resources.rest].map((resource) => grant.getResourceScope(resource))
  await identity.oauth.noteGrant({
    id,
    userId: String(userId),
    clientId,
    clientName: client?.clientName ?? clientId,
    scopes: parseScopes(granted.join(' ')),
  })
  return id
}

/** What oidc-provider's consent prompt found missing. */
interface MissingScopes {
  missingOIDCScope?: string[]
  missingResourceScopes?: Record<string, string[]>
}

function requestedResource({ params }: Interaction): string | undefined {
  const resource = params['resource']
  if (typeof resource === 'string') return resource
  return Array.isArray(resource) ? String(resource[0]) : undefined
}

function httpsOnly(url: string | undefined): string | undefined {
  return url?.startsWith('https://') ? url : undefined
}
