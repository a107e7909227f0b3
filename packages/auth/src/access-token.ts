import { hash } from 'node:crypto'
import { allows, parseScopes } from '@flamegate/contract'
import type { Principal, Scope } from '@flamegate/contract'
import type { IdentityStore } from '@flamegate/operations/ports'
import type { JWTPayload } from 'jose'
import { createAccessTokenClaims, notValid } from './access-token-claims.ts'
import type { Refusal } from './access-token-claims.ts'
import { maxAccessTokenLifetimeSeconds } from './access-token-lifetime.ts'
import { apiTokenPrincipal } from './api-token-principal.ts'
import { readChoiceClaims, readChoicesVersion } from './choice-claims.ts'
import { ExpiringCache } from './expiring-cache.ts'
import type { Revocations } from './revocations.ts'

export interface AccessTokenVerifier {
  /** Who `token` stands for at `audience` (a resource's canonical URL). */
  verify(token: string, audience: string): Promise<Principal | Refusal>
}

export interface AccessTokenVerifierOptions {
  identity: Pick<IdentityStore, 'keys' | 'findApiTokenById'>
  /** The authorization server, exactly as in `iss`. */
  issuer: string
  revocations: Revocations
  /** How many verified tokens are remembered. */
  maxRemembered?: number
  now?: () => number
}

const otherResource = { refused: 'The access token is for another resource.' }
const revoked = { refused: 'The access token was revoked.' }
const outdated = {
  refused: 'What the client may do was changed after the access token was issued. Refresh it.',
}
const apiTokenEnded = { refused: 'The API token behind the access token has expired or was revoked.' }

/** Whom a verified token stands for: a person who allowed a client, or an API token that a machine showed. */
type Holder = { principal: Principal; grantId: string; choicesVersion: number } | MachineHolder

/** An API token, and what of it the machine asked for. */
interface MachineHolder {
  apiTokenId: string
  scopes: readonly Scope[]
}

const maxTokenLength = 8_192

/**
 * Verifies our own JWT access tokens (RFC 9068) without asking anyone. A token that was verified before costs one
 * SHA-256 and two look-ups; revocation is asked every time. The token of a machine is worth what its API token is at
 * that moment, so that one is looked up every time.
 */
export async function createAccessTokenVerifier(
  options: AccessTokenVerifierOptions,
): Promise<AccessTokenVerifier> {
  const { identity, issuer, revocations, maxRemembered = 10_000, now = Date.now } = options
  const remembered = new ExpiringCache<{ holder: Holder; audience: string }>(maxRemembered)
  const tokenClaims = await createAccessTokenClaims({ identity, issuer, now })

  async function principalOf(holder: Holder): Promise<Principal | Refusal> {
    if ('principal' in holder) {
      const { principal, grantId, choicesVersion } = holder
      if (revocations.has(grantId)) return revoked
      return revocations.isOutdated(grantId, choicesVersion) ? outdated : principal
    }
    const found = await identity.findApiTokenById(holder.apiTokenId)
    if (!found) return apiTokenEnded
    const scopes = holder.scopes.filter((scope) => allows(found.scopes, [scope]))
    const isLess = !found.scopes.every((scope) => allows(scopes, [scope]))
    return { ...apiTokenPrincipal(found), scopes, ...(isLess ? { reachableScopes: found.scopes } : {}) }
  }

  return {
    async verify(token, audience) {
      if (token.length > maxTokenLength) return notValid
      const key = hash('sha256', token, 'base64url')
      const known = remembered.get(key, now())
      if (known) {
        if (known.audience !== audience) return otherResource
        return principalOf(known.holder)
      }
      const claims = await tokenClaims.read(token)
      if (isRefusal(claims)) return claims
      // Exactly one audience: a token for several resources could be carried from one to the other.
      if (claims.aud !== audience) return otherResource
      const holder = readHolder(claims)
      if (!holder) return notValid
      const principal = await principalOf(holder)
      if (!isRefusal(principal)) remembered.set(key, { holder, audience }, Number(claims.exp) * 1000)
      return principal
    },
  }
}

export function isRefusal(value: object): value is Refusal {
  return 'refused' in value
}

function readHolder(claims: JWTPayload): Holder | undefined {
  const { sub, exp, iat, scope, cnf, gid, tid, client_id: clientId, client_name: clientName } = claims
  if (!sub || exp === undefined || iat === undefined) return undefined
  if (exp - iat > maxAccessTokenLifetimeSeconds) return undefined
  // A token bound to a key needs a proof of that key, which we do not read.
  if (cnf !== undefined) return undefined
  const scopes = parseScopes(typeof scope === 'string' ? scope : '')
  if (typeof tid === 'string') return { apiTokenId: tid, scopes }
  if (typeof gid !== 'string' || typeof clientId !== 'string') return undefined
  const principal: Principal = {
    userId: sub,
    via: 'oauth',
    clientId,
    clientName: typeof clientName === 'string' ? clientName : clientId,
    scopes,
    grantId: gid,
    ...readChoiceClaims(claims),
  }
  return { principal, grantId: gid, choicesVersion: readChoicesVersion(claims) }
}
