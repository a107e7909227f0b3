import { parseScopes } from '@flamegate/contract'
import { firstScopes } from './resources.ts'
import type { Resources } from './resources.ts'

/** Scopes about the token itself, which the authorization server knows besides ours. */
export const protocolScopes: readonly string[] = ['openid', 'offline_access']

/**
 * The parameters of an authorization or token request in our words: every URL that means one of our resources
 * becomes the canonical one, so that a client may write it differently each time.
 */
export function withCanonicalResource(parameters: URLSearchParams, resources: Resources): URLSearchParams {
  const indicators = parameters.getAll('resource')
  const changed = new URLSearchParams(parameters)
  changed.delete('resource')
  const canonical = new Set(indicators.map((indicator) => resources.canonical(indicator) ?? indicator))
  for (const indicator of canonical) changed.append('resource', indicator)
  return changed
}

/**
 * What some clients send whether they ask for an ID token or not. Without `openid` these mean nothing, and what means
 * nothing is passed over (RFC 6749, 3.1); the provider would refuse it.
 */
const openIdParameters = ['nonce', 'acr_values', 'claims_locales'] as const

/**
 * The parameters of an authorization request with scopes that can be granted. A client that names none of ours
 * (it leaves `scope` out, or asks for all that the authorization server's metadata lists) may read.
 */
export function withGrantableScope(parameters: URLSearchParams): URLSearchParams {
  const requested = parameters.get('scope') ?? ''
  const words = requested.split(' ')
  const ours = parseScopes(requested)
  const grantable = [
    ...protocolScopes.filter((scope) => words.includes(scope)),
    ...(ours.length > 0 ? ours : firstScopes),
  ]
  const changed = new URLSearchParams(parameters)
  changed.set('scope', grantable.join(' '))
  if (!words.includes('openid')) for (const name of openIdParameters) changed.delete(name)
  return changed
}

/**
 * The parameters of a token request that refreshes, without words that are no scopes of ours: some clients repeat
 * what they asked for at first (`offline_access`, names of tools). What is left narrows the new access token
 * (RFC 6749, 6); nothing left means all that was granted.
 */
export function withKnownScope(parameters: URLSearchParams): URLSearchParams {
  if (parameters.get('grant_type') !== 'refresh_token' || !parameters.has('scope')) return parameters
  const requested = parameters.get('scope') ?? ''
  const ours = parseScopes(requested)
  const changed = new URLSearchParams(parameters)
  if (ours.length === 0) changed.delete('scope')
  else
    changed.set('scope', [...(requested.split(' ').includes('openid') ? ['openid'] : []), ...ours].join(' '))
  return changed
}
