import { hash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'

/** As much of an OpenID provider as a log-in meets: it knows one person, who is always logged in there. */
export interface ForeignIssuer {
  issuer: string
  clientId: string
  clientSecret: string
  close(): void
}

interface Asked {
  clientId: string
  nonce: string
  challenge: string
  redirectUri: string
}

export async function startForeignIssuer(person: {
  sub: string
  email: string
  name: string
}): Promise<ForeignIssuer> {
  const { publicKey, privateKey } = await generateKeyPair('RS256')
  const jwk = { ...(await exportJWK(publicKey)), alg: 'RS256', use: 'sig', kid: '1' }
  const asked = new Map<string, Asked>()

  async function answer(url: URL, form: URLSearchParams): Promise<object | URL> {
    if (url.pathname === '/.well-known/openid-configuration') {
      return {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
        code_challenge_methods_supported: ['S256'],
      }
    }
    if (url.pathname === '/jwks') return { keys: [jwk] }
    if (url.pathname === '/authorize') {
      const query = (name: string) => url.searchParams.get(name) ?? ''
      const code = randomUUID()
      const redirectUri = query('redirect_uri')
      const [clientId, nonce, challenge] = [query('client_id'), query('nonce'), query('code_challenge')]
      asked.set(code, { clientId, nonce, challenge, redirectUri })
      const back = new URL(redirectUri)
      back.search = new URLSearchParams({ code, state: query('state') }).toString()
      return back
    }
    const request = asked.get(form.get('code') ?? '')
    const verifier = hash('sha256', form.get('code_verifier') ?? '', 'base64url')
    if (request?.challenge !== verifier || request.redirectUri !== form.get('redirect_uri')) {
      return { error: 'invalid_grant' }
    }
    const idToken = await new SignJWT({ ...person, email_verified: true, nonce: request.nonce })
      .setProtectedHeader({ alg: 'RS256', kid: '1' })
      .setIssuer(issuer)
      .setAudience(request.clientId)
      .setIssuedAt()
      .setExpirationTime('5m')
      .sign(privateKey)
    return { access_token: randomUUID(), token_type: 'Bearer', expires_in: 60, id_token: idToken }
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const form = new URLSearchParams(Buffer.concat(chunks).toString())
      void answer(new URL(request.url ?? '/', issuer), form).then((body) => {
        if (body instanceof URL) return response.writeHead(303, { location: body.href }).end()
        const isRefusal = 'error' in body
        response.writeHead(isRefusal ? 400 : 200, { 'content-type': 'application/json' })
        return response.end(JSON.stringify(body))
      })
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('A TCP server has a port')
  const issuer = `http://127.0.0.1:${address.port}`
  return {
    issuer,
    clientId: 'flamegate',
    clientSecret: 'hush',
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
