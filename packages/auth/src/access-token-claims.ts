import type { IdentityStore } from '@flamegate/operations/ports'
import { errors, importJWK, jwtVerify } from 'jose'
import type { CryptoKey, JWTPayload } from 'jose'
import { createKeyRing } from './key-ring.ts'
import { accessTokenAlgorithm, loadSigningKeys } from './signing-keys.ts'

/** Why a token was refused, as its holder may read it. */
export interface Refusal {
  refused: string
}

export interface AccessTokenClaims {
  /** What a token says that we signed and that has not expired. */
  read(token: string): Promise<JWTPayload | Refusal>
}

export const notValid: Refusal = { refused: 'The access token is not valid.' }
const expired: Refusal = { refused: 'The access token has expired.' }

/**
 * Reads our own JWT access tokens (RFC 9068), for any resource, whether their grant still stands or not.
 * @param options.issuer The authorization server, exactly as in `iss`.
 */
export async function createAccessTokenClaims(options: {
  identity: Pick<IdentityStore, 'keys'>
  issuer: string
  now?: () => number
}): Promise<AccessTokenClaims> {
  const { identity, issuer, now = Date.now } = options
  const keys = await createKeyRing(() => loadPublicKeys(identity), now)

  return {
    async read(token) {
      try {
        const { payload } = await jwtVerify(
          token,
          async ({ kid = '' }) => {
            const key = await keys.find(kid)
            if (!key) throw new errors.JWKSNoMatchingKey()
            return key
          },
          { algorithms: [accessTokenAlgorithm], typ: 'at+jwt', issuer, currentDate: new Date(now()) },
        )
        return payload
      } catch (error) {
        if (error instanceof errors.JWTExpired) return expired
        if (error instanceof errors.JOSEError) return notValid
        throw error
      }
    },
  }
}

async function loadPublicKeys(
  identity: Pick<IdentityStore, 'keys'>,
): Promise<{ kid: string; key: CryptoKey }[]> {
  const jwks = await loadSigningKeys(identity)
  const keys = jwks.map(async ({ kty, crv, x, y, kid = '' }) => {
    const key = await importJWK({ kty, crv, x, y }, accessTokenAlgorithm)
    if (key instanceof Uint8Array) throw new TypeError('A signing key must be an elliptic curve key')
    return { kid, key }
  })
  return Promise.all(keys)
}
