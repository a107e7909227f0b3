import { once } from 'node:events'
import { createServer } from 'node:http'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { onTestFinished } from 'vitest'

/** As much of GitHub's issuer as a verifier of identity tokens meets. */
export interface TestGitHub {
  issuer: string
  /** A token as a job of `acme/checkout` gets it, with other claims where they are given. */
  idToken(changes?: {
    audience?: string
    issuer?: string
    repository?: string | undefined
    /** Seconds from now. */
    expiresIn?: number
    /** Signs with a key that the issuer does not publish. */
    isForged?: boolean
  }): Promise<string>
}

export async function startTestGitHub(audience: string): Promise<TestGitHub> {
  const published = await generateKeyPair('RS256')
  const other = await generateKeyPair('RS256')
  const jwk = { ...(await exportJWK(published.publicKey)), alg: 'RS256', use: 'sig', kid: '1' }
  const server = createServer((request, response) => {
    const isKeys = request.url === '/.well-known/jwks'
    response.writeHead(isKeys ? 200 : 404, { 'content-type': 'application/json' })
    response.end(JSON.stringify(isKeys ? { keys: [jwk] } : {}))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new TypeError('The server has no port')
  const issuer = `http://127.0.0.1:${address.port}`
  return {
    issuer,
    idToken: (changes = {}) => {
      const now = Math.floor(Date.now() / 1000)
      const repository = 'repository' in changes ? changes.repository : 'acme/checkout'
      return new SignJWT({ repository, run_id: '17', sub: `repo:${repository}:ref:refs/heads/main` })
        .setProtectedHeader({ alg: 'RS256', kid: '1' })
        .setIssuer(changes.issuer ?? issuer)
        .setAudience(changes.audience ?? audience)
        .setIssuedAt(now - 600)
        .setExpirationTime(now + (changes.expiresIn ?? 300))
        .sign(changes.isForged === true ? other.privateKey : published.privateKey)
    },
  }
}
