import type { AccessTokenClaims } from '@flamegate/auth'
import { decodeJwt, errors } from 'jose'
import type { Adapter, AdapterPayload } from 'oidc-provider'

/** In front of a signed access token on its way through the provider, which would refuse to look at one. */
const mark = 'signed:'

/**
 * The parameters of a revocation request (RFC 7009) with which the provider finds our signed access tokens. Tokens
 * that come from no grant are left as they are: there is nothing of theirs that could be revoked, and the answer is
 * `unsupported_token_type`.
 */
export function withSignedToken(parameters: URLSearchParams): URLSearchParams {
  const token = parameters.get('token') ?? ''
  if (!isOfGrant(token)) return parameters
  const changed = new URLSearchParams(parameters)
  changed.set('token', mark + token)
  changed.set('token_type_hint', 'access_token')
  return changed
}

/**
 * The storage of access tokens, which holds none: they are signed and say all themselves. Revoking one revokes its
 * grant, as RFC 7009, 2.1 allows, because that is what every process hears of within a second; a client that gives
 * up its access token has no use for the refresh token either.
 */
export function withSignedTokens(records: Adapter, claims: AccessTokenClaims): Adapter {
  return {
    ...records,
    find: (id) => (id.startsWith(mark) ? findSigned(id.slice(mark.length), claims) : records.find(id)),
  }
}

async function findSigned(token: string, claims: AccessTokenClaims): Promise<AdapterPayload | undefined> {
  const read = await claims.read(token)
  if ('refused' in read) return undefined
  return {
    kind: 'AccessToken',
    jti: read.jti,
    clientId: String(read['client_id']),
    accountId: read.sub,
    grantId: String(read['gid']),
    exp: read.exp,
  }
}

function isOfGrant(token: string): boolean {
  try {
    return typeof decodeJwt(token)['gid'] === 'string'
  } catch (error) {
    if (error instanceof errors.JOSEError) return false
    throw error
  }
}
