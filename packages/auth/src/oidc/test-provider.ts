import { once } from 'node:events'
import { createServer } from 'node:http'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import type { OidcProvider } from './oidc-client.ts'

/** What a provider of tests does otherwise than it should. */
export interface Wrongs {
  /** What it says of itself. */
  metadata?: Record<string, unknown>
  /** What its ID tokens say. */
  claims?: Record<string, unknown>
  /** What it says where the token does not; it has no such address when left out. */
  userinfo?: Record<string, unknown>
  /** Signs with a key that it does not publish. */
  hidesKey?: boolean
  /** How far its clock is from ours. */
  clockMs?: number
  keys?: object
  /** Takes the secret in a header only. */
  wantsHeader?: boolean
}

/** As much of an OpenID provider as a log-in meets, which can be told to lie. */
export interface TestProvider extends OidcProvider {
  wrongs: Wrongs
  /** Logs somebody in at the address, and gives where the browser is sent back to. */
  visit(url: string): URL
  close(): void
}

const secret = 'hush &'

export async function startTestProvider(): Promise<TestProvider> {
  const known = await generateKeyPair('RS256')
  const hidden = await generateKeyPair('RS256')
  const jwk = { ...(await exportJWK(known.publicKey)), alg: 'RS256', use: 'sig', kid: '1' }
  let nonce = ''

  async function answer(
    path: string,
    headers: { authorization?: string | undefined },
    form: URLSearchParams,
  ) {
    if (path === '/.well-known/openid-configuration') {
      return {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        ...(at.wrongs.userinfo === undefined ? {} : { userinfo_endpoint: `${issuer}/userinfo` }),
        token_endpoint_auth_methods_supported: ['client_secret_post'],
        ...at.wrongs.metadata,
      }
    }
    if (path === '/jwks') return at.wrongs.keys ?? { keys: [jwk] }
    if (path === '/userinfo') return at.wrongs.userinfo
    if (path !== '/token') return undefined
    const inBody = form.get('client_id') === 'flamegate' && form.get('client_secret') === secret
    const inHeader = headers.authorization === `Basic ${btoa('flamegate:hush+%26')}`
    if (at.wrongs.wantsHeader === true ? !inHeader || form.has('client_id') : !inBody) {
      return { error: 'invalid_client' }
    }
    if (form.get('code') !== 'c1') return { error: 'invalid_grant' }
    const seconds = Math.floor((Date.now() + (at.wrongs.clockMs ?? 0)) / 1000)
    const claims = { iss: issuer, aud: 'flamegate', sub: 'ada', nonce, iat: seconds, exp: seconds + 300 }
    const idToken = await new SignJWT({
      ...claims,
      email: 'Ada@example.com',
      email_verified: true,
      ...at.wrongs.claims,
    })
      .setProtectedHeader({ alg: 'RS256', kid: '1' })
      .sign((at.wrongs.hidesKey === true ? hidden : known).privateKey)
    return { access_token: 'at', token_type: 'Bearer', expires_in: 60, id_token: idToken }
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const form = new URLSearchParams(Buffer.concat(chunks).toString())
      void answer(request.url ?? '', request.headers, form).then((body) => {
        const date = new Date(Date.now() + (at.wrongs.clockMs ?? 0)).toUTCString()
        const status = body === undefined ? 404 : 'error' in body ? 400 : 200
        response.writeHead(status, { 'content-type': 'application/json', date })
        return response.end(JSON.stringify(body ?? {}))
      })
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new TypeError('A TCP server has a port')
  const issuer = `http://127.0.0.1:${address.port}`
  const at: TestProvider = {
    issuer,
    clientId: 'flamegate',
    clientSecret: secret,
    allowHttp: true,
    fetch: (url, { method, headers, body }) =>
      fetch(url, { method, headers, body: body instanceof URLSearchParams ? body : null }),
    wrongs: {},
    visit(url) {
      const { searchParams } = new URL(url)
      nonce = searchParams.get('nonce') ?? ''
      const back = new URL(searchParams.get('redirect_uri') ?? '')
      back.search = new URLSearchParams({ code: 'c1', state: searchParams.get('state') ?? '' }).toString()
      return back
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
  return at
}
