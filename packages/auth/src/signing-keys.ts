import type { IdentityStore } from '@flamegate/operations/ports'
import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose'
import type { JWK } from 'jose'

/** The one algorithm of our access tokens: signer and verifier pin it. */
export const accessTokenAlgorithm = 'ES256'

/** The private keys that sign access tokens, newest first; the first is made when there is none. */
export async function loadSigningKeys(identity: Pick<IdentityStore, 'keys'>): Promise<JWK[]> {
  const keys = await identity.keys('jwks', makeSigningKey)
  return keys.map((key) => ({ ...key }))
}

export async function makeSigningKey(): Promise<Record<string, unknown>> {
  const { privateKey } = await generateKeyPair(accessTokenAlgorithm, { extractable: true })
  const jwk = await exportJWK(privateKey)
  return { ...jwk, kid: await calculateJwkThumbprint(jwk), alg: accessTokenAlgorithm, use: 'sig' }
}
