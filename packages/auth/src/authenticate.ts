import { isDeepStrictEqual } from 'node:util'
import { clientScopes } from '@flamegate/contract'
import type { Principal } from '@flamegate/contract'
import type { ApiTokenProof, IdentityStore } from '@flamegate/operations/ports'
import { createAccessTokenVerifier, isRefusal } from './access-token.ts'
import { notValid } from './access-token-claims.ts'
import { apiTokenPrincipal } from './api-token-principal.ts'
import { createCallerAssertions } from './assertion.ts'
import type { CallerAssertions } from './assertion.ts'
import { ExpiringCache } from './expiring-cache.ts'
import { createGuessLimiter } from './guess-limiter.ts'
import { watchRevocations } from './revocations.ts'
import { isSameOrigin } from './same-origin.ts'
import type { RequestOrigin } from './same-origin.ts'
import { apiTokenPrefix, hashSecret } from './secret.ts'
import { readCookie, sessionCookieName } from './session-cookie.ts'

/** The parts of a request that can prove who is calling: header values as they came. */
export interface Credentials extends RequestOrigin {
  method: string
  authorization?: string | undefined
  cookie?: string | undefined
  /** The value of `x-flamegate-caller`. */
  callerAssertion?: string | undefined
  /** Where the request came from: wrong tokens are counted for it. */
  address?: string | undefined
}

/** What the place that is called accepts. API tokens and access tokens for the audience are always accepted. */
export interface Demand {
  /** Canonical URL of the resource: an access token must be for it and nothing else. */
  audience: string
  /** Whether the session cookie of the web pages counts. */
  allowSession?: boolean
  /** Whether the gateway's word counts: only where strangers cannot call. */
  allowAssertion?: boolean
}

/** 401 without `error` means that no credential came (RFC 6750, 3.1). */
export type AuthenticationFailure =
  | { status: 401; error: 'invalid_token' | undefined; description: string }
  | { status: 403; error: 'cross_site_request'; description: string }

export type Authentication = { principal: Principal } | { failure: AuthenticationFailure }

export interface Authenticator {
  /** @throws Problem `rate_limited` when too many wrong tokens came from the address */
  authenticate(credentials: Credentials, demand: Demand): Promise<Authentication>
  /**
   * Whether that by which a principal was proved has been taken away since: the grant of a token or the API token.
   * For what stays open after it was let in.
   */
  isWithdrawn(principal: Principal): Promise<boolean>
  assertions: CallerAssertions
  close(): Promise<void>
}

export interface AuthenticatorOptions {
  identity: IdentityStore
  /** The public URL without a trailing slash: issuer of access tokens and the site of the session cookie. */
  issuer: string
  now?: () => number
}

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Finds out who is calling. The strongest statement decides alone: a wrong token is not made good by a cookie.
 * Storage errors are thrown.
 */
export async function createAuthenticator(options: AuthenticatorOptions): Promise<Authenticator> {
  const { identity, issuer, now = Date.now } = options
  const revocations = await watchRevocations(identity, now)
  const accessTokens = await createAccessTokenVerifier({ identity, issuer, revocations, now })
  const assertions = await createCallerAssertions(identity, now)
  const guesses = createGuessLimiter(now)
  const principals = new ExpiringCache<Principal>(10_000)
  const cookieName = sessionCookieName(issuer)

  async function byAssertion(assertion: string): Promise<Authentication> {
    const principal = await assertions.verify(assertion)
    if (!principal) return invalid('The caller assertion is not valid.')
    if (principal.grantId && revocations.has(principal.grantId)) return invalid('The grant was revoked.')
    return { principal }
  }

  async function byBearer(
    authorization: string,
    audience: string,
    address: string | undefined,
  ): Promise<Authentication> {
    const token = /^Bearer +([^ ]+) *$/i.exec(authorization)?.[1]
    if (!token) return invalid('The Authorization header must say Bearer and a token.')
    if (token.startsWith(apiTokenPrefix)) return byApiToken(token, address)
    const principal = await accessTokens.verify(token, audience)
    // Those that we signed are no guesses: they expired, were revoked, or were taken to the wrong place.
    if (principal === notValid) guesses.noteWrong(address, hashSecret(token))
    return isRefusal(principal) ? invalid(principal.refused) : { principal }
  }

  // Looked up each time, so that a revoked API token stops at once.
  async function byApiToken(token: string, address: string | undefined): Promise<Authentication> {
    const tokenHash = hashSecret(token)
    guesses.beforeLookUp(address, tokenHash)
    const found = await identity.findApiToken(tokenHash)
    if (found) {
      guesses.noteRight(tokenHash)
      return { principal: principalOf(tokenHash, found) }
    }
    guesses.noteWrong(address, tokenHash)
    return invalid('The API token is unknown, expired or revoked.')
  }

  /** The same object for as long as the token says the same: what is made of a principal is kept by it, such as its assertion. */
  function principalOf(tokenHash: string, found: ApiTokenProof): Principal {
    const principal = apiTokenPrincipal(found)
    const known = principals.get(tokenHash, now())
    if (known !== undefined && isDeepStrictEqual(known, principal)) return known
    principals.set(tokenHash, principal, Infinity)
    return principal
  }

  async function bySession(cookie: string, credentials: Credentials): Promise<Authentication> {
    const session = await identity.findSession(hashSecret(cookie))
    if (!session) return invalid('The session has ended. Log in again.')
    if (!safeMethods.has(credentials.method) && !isSameOrigin(credentials, issuer)) return crossSite
    const { userId } = session
    return {
      principal: {
        userId,
        via: 'session',
        clientId: 'web',
        clientName: 'Flamegate web',
        scopes: clientScopes,
      },
    }
  }

  return {
    async authenticate(credentials, { audience, allowSession = false, allowAssertion = false }) {
      const { address, authorization, callerAssertion, cookie } = credentials
      if (callerAssertion !== undefined && allowAssertion) return byAssertion(callerAssertion)
      if (authorization !== undefined) return byBearer(authorization, audience, address)
      const session = allowSession ? readCookie(cookie, cookieName) : undefined
      return session === undefined ? missing : bySession(session, credentials)
    },
    async isWithdrawn({ via, grantId, clientId }) {
      if (via === 'api_token') return (await identity.findApiTokenById(clientId)) === undefined
      return grantId !== undefined && revocations.has(grantId)
    },
    assertions,
    close: () => revocations.close(),
  }
}

const missing: Authentication = {
  failure: { status: 401, error: undefined, description: 'A credential is needed.' },
}

const crossSite: Authentication = {
  failure: {
    status: 403,
    error: 'cross_site_request',
    description: 'With a session cookie, only pages of this site may change things.',
  },
}

function invalid(description: string): Authentication {
  return { failure: { status: 401, error: 'invalid_token', description } }
}
