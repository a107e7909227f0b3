import { parseScopes, Problem } from '@flamegate/contract'
import type { IdentityStore, User } from '@flamegate/operations/ports'
import type { Provider } from 'oidc-provider'
import { offerAllowance } from './allowance.ts'
import type { Allowance, AllowanceOffer } from './allowance.ts'
import { describeClient, requestedResources, withScopes } from './consent.ts'
import type { ClientView } from './consent.ts'
import { newGrant, storeGrant } from './grant.ts'
import { protocolScopes } from './requested-access.ts'
import type { Resources } from './resources.ts'

/** A request of a program without a browser (RFC 8628), found by the code that its person typed. */
export type DeviceCode = NonNullable<Awaited<ReturnType<Provider['DeviceCode']['findByUserCode']>>>

/** What the page for such a request shows. */
export interface DeviceView extends AllowanceOffer {
  client: ClientView
  /** The code as the program shows it. */
  user_code: string
  user: { email: string; name: string }
  expires_at: string
}

/**
 * The request that waits for a decision, by its code however it was typed.
 * @throws Problem `not_found`
 */
export async function findWaiting(provider: Provider, typed: string): Promise<DeviceCode> {
  const code = await provider.DeviceCode.findByUserCode(typed.toUpperCase().replaceAll(/[^A-Z0-9]/g, ''))
  if (!code || code.accountId || code.error) {
    throw new Problem(
      'not_found',
      'No program waits for this code. Codes work once and for ten minutes: look again, or start the log-in again.',
    )
  }
  return code
}

export async function describeDevice(
  provider: Provider,
  code: DeviceCode,
  user: User,
  identity: Pick<IdentityStore, 'grants'>,
): Promise<DeviceView> {
  const clientId = String(code.clientId)
  const before = await identity.grants.findLatestChoices(user.id, clientId)
  return {
    client: await describeClient(provider, clientId),
    user_code: code.userCode.replace(/^(.{4})(.{4})$/, '$1-$2'),
    ...(await offerAllowance(identity, user.id, parseScopes(String(code.params?.['scope'])), before)),
    user: { email: user.email, name: user.name },
    expires_at: new Date(Number(code.exp) * 1000).toISOString(),
  }
}

/** Lets the program have its tokens when it asks next. Each log-in is a grant of its own, to be ended alone. */
export async function allowDevice(
  provider: Provider,
  identity: IdentityStore,
  resources: Resources,
  { code, userId, allowance }: { code: DeviceCode; userId: string; allowance: Allowance },
): Promise<void> {
  const params = code.params ?? {}
  const indicators = requestedResources(params)
  const requested = String(params['scope'])
  const grant = newGrant(provider, code.jti, { accountId: userId, clientId: code.clientId })
  grant.addOIDCScope(requested.split(' ').filter((scope) => protocolScopes.includes(scope)))
  for (const indicator of indicators) grant.addResourceScope(indicator, parseScopes(requested))
  code.grantId = await storeGrant(provider, identity, resources, { grant, indicators, allowance })
  code.scope = withScopes(requested, allowance)
  code.resource = indicators
  code.accountId = userId
  await code.save()
}

/** Tells the program that it was refused. */
export async function denyDevice(code: DeviceCode): Promise<void> {
  code.error = 'access_denied'
  code.errorDescription = 'The person did not allow it.'
  await code.save()
}
