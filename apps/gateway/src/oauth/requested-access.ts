import { parseScopes } from '@flamegate/contract'
import { firstScopes } from './resources.ts'
import type { Resources } from './resources.ts'

/** Scopes about the token itself, which the authorization server knows besides ours. */
const protocolScopes = ['openid', 'offline_access']

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
  return changed
}
