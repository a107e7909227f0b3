import { accessTokenAlgorithm, loadSigningKeys } from '@flamegate/auth'
import { importJWK, SignJWT } from 'jose'
import { openPlatformDatabase } from './database-access.ts'
import { platform } from './person.ts'

export interface MintedClaims {
  userId: string
  audience: string
  scope: string
  /** 300 when left out; below zero for a token that expired. */
  livesSeconds?: number
}

/** Makes access tokens as the platform's own OAuth server would, of whatever scopes. */
export async function tokenMinter(): Promise<(claims: MintedClaims) => Promise<string>> {
  const database = await openPlatformDatabase()
  const [jwk] = await loadSigningKeys(database.identity)
  await database.close()
  if (jwk === undefined) throw new Error('The platform has no signing key.')
  const key = await importJWK(jwk, accessTokenAlgorithm)
  return ({ userId, audience, scope, livesSeconds = 300 }) => {
    const now = Math.floor(Date.now() / 1000)
    return new SignJWT({ scope, client_id: 'minted', client_name: 'Minted', gid: `minted-${userId}` })
      .setProtectedHeader({
        alg: accessTokenAlgorithm,
        typ: 'at+jwt',
        ...(jwk.kid === undefined ? {} : { kid: jwk.kid }),
      })
      .setIssuer(platform().url)
      .setSubject(userId)
      .setAudience(audience)
      .setIssuedAt(Math.min(now, now + livesSeconds))
      .setExpirationTime(now + livesSeconds)
      .setJti(crypto.randomUUID())
      .sign(key)
  }
}
