import { parseScopes } from '@flamegate/contract'
import type { IdentityStore, User } from '@flamegate/operations/ports'
import type { Provider } from 'oidc-provider'
import { offerAllowance } from './allowance.ts'
import type { Allowance, AllowanceOffer } from './allowance.ts'
import { describeRedirect } from './client-metadata.ts'
import { newGrant, storeGrant, verifiedDomain } from './grant.ts'
import type { Resources } from './resources.ts'

/** An authorization request that waits for its person. */
export type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>

/** A client as people are shown it. */
export interface ClientView {
  client_id: string
  name: string
  uri?: string
  logo?: string
  /** Whether the name is vouched for by the domain that the client id is an address of. */
  verified: boolean
}

/** What the consent page shows. */
export interface ConsentView extends AllowanceOffer {
  client: ClientView
  /** Where the answer goes: a host, or an app's own scheme. */
  redirect_host: string
  /** Whether it goes to a program on the person's own machine, which anybody may have started. */
  is_loopback: boolean
  resource: string
  user: { email: string; name: string }
  expires_at: string
}

export async function describeConsent(
  provider: Provider,
  interaction: Interaction,
  user: User,
  identity: Pick<IdentityStore, 'grants'>,
): Promise<ConsentView> {
  const { grantId, params } = interaction
  const clientId = String(params['client_id'])
  const redirect = describeRedirect(String(params['redirect_uri']))
  const before = grantId
    ? await identity.grants.findChoices(user.id, grantId)
    : await identity.grants.findLatestChoices(user.id, clientId)
  return {
    client: await describeClient(provider, clientId),
    redirect_host: redirect.host,
    is_loopback: redirect.isLoopback,
    ...(await offerAllowance(identity, user.id, parseScopes(String(params['scope'])), before)),
    resource: String(requestedResources(params)[0]),
    user: { email: user.email, name: user.name },
    expires_at: new Date(interaction.exp * 1000).toISOString(),
  }
}

export async function describeClient(provider: Provider, clientId: string): Promise<ClientView> {
  const client = await provider.Client.find(clientId)
  return {
    client_id: clientId,
    name: client?.clientName ?? clientId,
    uri: httpsOnly(client?.clientUri),
    logo: httpsOnly(client?.logoUri),
    verified: verifiedDomain(clientId) !== null,
  }
}

/**
 * Grants what was asked for and what the person adds, in the grant that the client has already or in a new one, and
 * notes it. The request goes on as if the client had asked for all of that.
 */
export async function grantRequested(
  provider: Provider,
  interaction: Interaction,
  identity: IdentityStore,
  resources: Resources,
  allowance: Allowance,
): Promise<string> {
  const userId = interaction.session?.accountId
  const { params } = interaction
  const clientId = String(params['client_id'])
  const existing = interaction.grantId && (await provider.Grant.find(interaction.grantId))
  const grant = existing || newGrant(provider, interaction.uid, { accountId: userId, clientId })
  const { missingOIDCScope, missingResourceScopes } = interaction.prompt.details as MissingScopes
  if (missingOIDCScope) grant.addOIDCScope(missingOIDCScope.join(' '))
  for (const [resource, missing] of Object.entries(missingResourceScopes ?? {})) {
    grant.addResourceScope(resource, missing.join(' '))
  }
  params['scope'] = withScopes(params['scope'], allowance)
  const indicators = requestedResources(params)
  return storeGrant(provider, identity, resources, { grant, indicators, allowance })
}

/** The `scope` of a request with what the person adds to it. */
export function withScopes(scope: unknown, { additionalScopes }: Allowance): string {
  return [...new Set([...String(scope).split(' '), ...additionalScopes])].join(' ')
}

/** What oidc-provider's consent prompt found missing. */
interface MissingScopes {
  missingOIDCScope?: string[]
  missingResourceScopes?: Record<string, string[]>
}

/** The resources of an authorization request, which has at least the default one. */
export function requestedResources({ resource }: Record<string, unknown>): string[] {
  return Array.isArray(resource) ? resource.map(String) : [String(resource)]
}

function httpsOnly(url: string | undefined): string | undefined {
  return url?.startsWith('https://') ? url : undefined
}
