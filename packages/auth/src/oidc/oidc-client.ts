import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client'
import type { Configuration, CustomFetch, IDToken } from 'openid-client'
import { z } from 'zod'
import { eitherWay } from './either-way.ts'
import { OidcFault, oidcFaultOf } from './oidc-fault.ts'

/** An OpenID provider, and who we are there. */
export interface OidcProvider {
  /** As the service writes it: its configuration is looked for below it. */
  issuer: string
  clientId: string
  clientSecret: string
  /** The guarded way out. */
  fetch: CustomFetch
  /** Whether it may be asked without TLS. */
  allowHttp: boolean
}

/** What the ID token says of the person, and where it is silent, the userinfo endpoint. */
export interface OidcClaims {
  subject: string
  /** Lower case. */
  email: string | undefined
  isEmailVerified: boolean
  /** As it came: anything. */
  name: unknown
}

const memorySchema = z.object({ verifier: z.string(), state: z.string(), nonce: z.string() })

/** What its log-in is to be carried over the time that the browser is away with. */
export type OidcMemory = z.output<typeof memorySchema>

/** Asks the provider for its configuration. @throws OidcFault */
export async function discoverProvider(provider: OidcProvider): Promise<Configuration> {
  const { issuer, clientId, clientSecret, fetch, allowHttp } = provider
  try {
    const config = await discovery(new URL(issuer), clientId, clientSecret, undefined, {
      [customFetch]: eitherWay(fetch),
      execute: [enableNonRepudiationChecks, ...(allowHttp ? [allowInsecureRequests] : [])],
    })
    // Of some addresses the library takes an issuer that stands for many, anybody's among them.
    if (new URL(config.serverMetadata().issuer).href !== new URL(issuer).href) {
      throw new OidcFault('issuer_mismatch')
    }
    return config
  } catch (error) {
    throw oidcFaultOf(error)
  }
}

/** Where to send the browser: authorization code with PKCE, state and nonce. @throws OidcFault */
export async function beginOidc(
  config: Configuration,
  redirectUri: string,
  loginHint?: string,
): Promise<{ url: string; memory: OidcMemory }> {
  const memory = { verifier: randomPKCECodeVerifier(), state: randomState(), nonce: randomNonce() }
  try {
    const url = buildAuthorizationUrl(config, {
      ...(loginHint === undefined ? {} : { login_hint: loginHint }),
      redirect_uri: redirectUri,
      scope: 'openid email profile',
      code_challenge: await calculatePKCECodeChallenge(memory.verifier),
      code_challenge_method: 'S256',
      state: memory.state,
      nonce: memory.nonce,
    })
    return { url: url.href, memory }
  } catch (error) {
    throw oidcFaultOf(error)
  }
}

/** Who came back with `callback`, our address with its query. @throws OidcFault when it was not what was begun */
export async function finishOidc(config: Configuration, callback: URL, memory: unknown): Promise<OidcClaims> {
  try {
    const { verifier, state, nonce } = memorySchema.parse(memory)
    const tokens = await authorizationCodeGrant(config, callback, {
      pkceCodeVerifier: verifier,
      expectedState: state,
      expectedNonce: nonce,
      idTokenExpected: true,
    })
    const claims = tokens.claims()
    if (!claims) throw new TypeError('An ID token was expected, and the library checks that it came')
    const more = await userInfo(config, claims, tokens.access_token)
    const { email, name, ...rest } = profileSchema.parse({ ...claims, ...more })
    return { subject: claims.sub, email, isEmailVerified: email !== undefined && vouchesFor(rest), name }
  } catch (error) {
    throw oidcFaultOf(error)
  }
}

/**
 * What the ID token does not say: many services put no more than `sub` into it, and Okta the address, but not whether it is
 * confirmed. Address and confirmation are of one source: what is said there of another address is not taken.
 */
async function userInfo(
  config: Configuration,
  claims: IDToken,
  accessToken: string,
): Promise<Record<string, unknown>> {
  const email = claims['email']
  const isSilent =
    email === undefined || (claims['email_verified'] === undefined && claims['xms_edov'] === undefined)
  if (!isSilent || config.serverMetadata().userinfo_endpoint === undefined) return {}
  if (email === undefined) return fetchUserInfo(config, accessToken, claims.sub)
  try {
    const told = await fetchUserInfo(config, accessToken, claims.sub)
    return isSameText(told.email, email) ? told : {}
  } catch {
    // Nobody has confirmed it then, which is told as that.
    return {}
  }
}

function isSameText(one: unknown, other: unknown): boolean {
  return typeof one === 'string' && typeof other === 'string' && one.toLowerCase() === other.toLowerCase()
}

const profileSchema = z.object({
  email: z.email().max(254).toLowerCase().optional().catch(undefined),
  email_verified: z.unknown().optional(),
  xms_edov: z.unknown().optional(),
  name: z.unknown().optional(),
})

/**
 * Whether the provider says that the person reads mail to the address. Some say so in a string (Amazon Cognito); Microsoft
 * Entra has a claim of its own for it: https://learn.microsoft.com/entra/identity-platform/optional-claims-reference
 */
function vouchesFor({ email_verified, xms_edov }: { email_verified?: unknown; xms_edov?: unknown }): boolean {
  return isYes(email_verified) || (email_verified === undefined && isYes(xms_edov))
}

function isYes(claim: unknown): boolean {
  return [true, 1, 'true', '1'].some((yes) => yes === claim)
}
