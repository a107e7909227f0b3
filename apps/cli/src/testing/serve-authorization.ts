import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

type Parameters = Readonly<Record<string, string>>

/** What the token endpoint answers: a success, an OAuth error code, or nothing but a status; 0 breaks the connection. */
type TokenReply = { access_token: string; refresh_token: string; expires_in: number } | string | number

export interface TestAuthorization {
  url: string
  /** What came to the endpoints, in order. */
  seen: { path: string; parameters: Parameters }[]
}

/** The device endpoints of an authorization server (RFC 8628), which answer token requests one after the other. */
export async function serveAuthorization(
  replies: TokenReply[],
  options: { issuer?: string; userCodeSeconds?: number } = {},
): Promise<TestAuthorization> {
  const site: TestAuthorization = { url: '', seen: [] }
  const server = createServer((request, response) => void serve(request, response))

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? ''
    const body = await text(request)
    if (request.method === 'POST') {
      const form = new URLSearchParams(body)
      // What is there twice, with a space between.
      const parameters = Object.fromEntries([...form.keys()].map((key) => [key, form.getAll(key).join(' ')]))
      site.seen.push({ path, parameters })
    }
    const reply = path === '/token' ? (replies.shift() ?? 'invalid_grant') : documents()[path]
    if (typeof reply === 'number') {
      if (reply === 0) request.socket.destroy()
      else response.writeHead(reply).end('<!doctype html>')
      return
    }
    response
      .writeHead(reply === undefined ? 404 : typeof reply === 'string' ? 400 : 200, {
        'content-type': 'application/json',
      })
      .end(JSON.stringify(typeof reply === 'string' ? { error: reply } : (reply ?? {})))
  }

  const documents = (): Record<string, object> => ({
    '/.well-known/oauth-authorization-server': {
      issuer: options.issuer ?? site.url,
      token_endpoint: `${site.url}/token`,
      device_authorization_endpoint: `${site.url}/device`,
      revocation_endpoint: `${site.url}/revoke`,
    },
    '/device': {
      device_code: 'device-1',
      user_code: 'BCDF-GHJK',
      verification_uri: `${site.url}/page`,
      verification_uri_complete: `${site.url}/page?user_code=BCDF-GHJK`,
      expires_in: options.userCodeSeconds ?? 60,
      interval: 0.01,
    },
    '/revoke': {},
  })

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new TypeError('The server has no port')
  site.url = `http://127.0.0.1:${address.port}`
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return site
}
