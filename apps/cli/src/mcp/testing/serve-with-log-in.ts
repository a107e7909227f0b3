import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import { onTestFinished } from 'vitest'

/** An MCP server that wants the token `let-me-in`, and the authorization server that gives it to everybody. */
export async function serveWithLogIn(): Promise<string> {
  const mcp = toNodeHandler(
    createMcpHandler(() => {
      const server = new McpServer({ name: 'guarded', version: '1' })
      server.registerTool('peek', { annotations: { readOnlyHint: true } }, () => ({ content: [] }))
      return server
    }),
  )
  let base = ''
  const documents: Record<string, () => unknown> = {
    '/.well-known/oauth-protected-resource': () => ({
      resource: `${base}/mcp`,
      authorization_servers: [base],
    }),
    '/.well-known/oauth-authorization-server': () => ({
      issuer: base,
      authorization_endpoint: `${base}/authorize`,
      token_endpoint: `${base}/token`,
      registration_endpoint: `${base}/register`,
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
    }),
    '/token': () => ({ access_token: 'let-me-in', token_type: 'Bearer', expires_in: 3600 }),
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', base)
    const answer = (body: unknown, status = 200) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (url.pathname === '/mcp') {
      if (request.headers.authorization === 'Bearer let-me-in') return mcp(request, response)
      const metadata = `resource_metadata="${base}/.well-known/oauth-protected-resource"`
      response.writeHead(401, { 'www-authenticate': `Bearer ${metadata}` }).end()
    } else if (url.pathname === '/authorize') {
      const back = new URL(url.searchParams.get('redirect_uri') ?? '')
      back.searchParams.set('code', 'yes')
      response.writeHead(302, { location: back.href }).end()
    } else if (url.pathname === '/register') {
      answer({ ...Object(await json(request)), client_id: 'profiler' }, 201)
    } else {
      const document = documents[url.pathname]
      answer(document?.() ?? {}, document === undefined ? 404 : 200)
    }
  }

  const server = createServer((request, response) => void serve(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new TypeError('The server has no port')
  base = `http://127.0.0.1:${address.port}`
  return `${base}/mcp`
}
