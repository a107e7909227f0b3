import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client'
import type { Configuration } from 'openid-client'
import { z } from 'zod'
import { personName } from './foreign-sign-in.ts'
import type { ForeignSignIn } from './foreign-sign-in.ts'
import { isOnThisMachine, issuerFetch } from './issuer-fetch.ts'

export interface OidcOptions {
  id: 'oidc' | 'google'
  name: string
  /** As the service writes it: its configuration is looked for below it. */
  issuer: string
  clientId: string
  clientSecret: string
}

const memorySchema = z.object({ verifier: z.string(), state: z.string(), nonce: z.string() })

/** Any OpenID Connect provider: authorization code with PKCE, state and nonce. */
export function oidcSignIn({ id, name, issuer, clientId, clientSecret }: OidcOptions): ForeignSignIn {
  let known: Promise<Configuration> | undefined

  /** Asked for on first use, so that we start although the service is away; and again after a failure. */
  function configuration(): Promise<Configuration> {
    known ??= discovery(new URL(issuer), clientId, clientSecret, undefined, {
      [customFetch]: issuerFetch(issuer),
      execute: isOnThisMachine(issuer) ? [allowInsecureRequests] : [],
    }).catch((error: unknown) => {
      known = undefined
      throw error
    })
    return known
  }

  return {
    id,
    name,
    issuer,
    async begin(redirectUri) {
      const memory = { verifier: randomPKCECodeVerifier(), state: randomState(), nonce: randomNonce() }
      const url = buildAuthorizationUrl(await configuration(), {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        code_challenge: await calculatePKCECodeChallenge(memory.verifier),
        code_challenge_method: 'S256',
        state: memory.state,
        nonce: memory.nonce,
      })
      return { url: url.href, memory }
    },
    async finish(callback, memory) {
      const { verifier, state, nonce } = memorySchema.parse(memory)
      const config = await configuration()
      const tokens = await authorizationCodeGrant(config, callback, {
        pkceCodeVerifier: verifier,
        expectedState: state,
        expectedNonce: nonce,
        idTokenExpected: true,
      })
      const claims = tokens.claims()
      if (!claims) throw new TypeError('An ID token was expected, and the library checks that it came')
      // Many services put no more than `sub` into the ID token.
      const more =
        claims['email'] === undefined && config.serverMetadata().userinfo_endpoint !== undefined
          ? await fetchUserInfo(config, tokens.access_token, claims.sub)
          : {}
      const { email, email_verified, name: fullName } = z.looseObject(profile).parse({ ...claims, ...more })
      return {
        issuer,
        subject: claims.sub,
        email,
        isEmailVerified: email !== undefined && email_verified === true,
        name: personName(fullName, email),
      }
    },
  }
}

const profile = {
  email: z.email().max(254).toLowerCase().optional().catch(undefined),
  email_verified: z.unknown().optional(),
  name: z.unknown().optional(),
}
