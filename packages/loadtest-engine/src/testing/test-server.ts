import { createServer } from 'node:http'
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Server as NetServer } from 'node:net'

export type Route = (request: IncomingMessage, response: ServerResponse, body: Buffer) => void
export type Routes = Record<string, Route>

export interface TestServer {
  url: string
  port: number
  /** `GET /path`, in the order in which they came. */
  seen: string[]
  /** Connections that were opened. */
  connections: () => number
  stop: () => Promise<void>
}

/** A server on loopback that answers by path. */
export async function startTestServer(
  routes: Routes,
  create: (listener: RequestListener) => NetServer = createServer,
  scheme = 'http',
): Promise<TestServer> {
  const seen: string[] = []
  let connections = 0
  const server = create((request, response) => {
    seen.push(`${request.method} ${request.url}`)
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const route = routes[(request.url ?? '').split('?')[0] ?? '']
      if (route === undefined) response.writeHead(404).end('not here')
      else route(request, response, Buffer.concat(chunks))
    })
  })
  server.on('connection', () => connections++)
  const sockets = new Set<{ destroy: () => void }>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const port = portOf(server)
  return {
    url: `${scheme}://127.0.0.1:${port}`,
    port,
    seen,
    connections: () => connections,
    stop: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

export function portOf(server: Pick<Server, 'address'>): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('It listens on no port.')
  return address.port
}

/** Says what it was asked, as JSON. */
export const echo: Route = (request, response, body) => {
  const { method, url, headers, rawHeaders } = request
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ method, url, headers, rawHeaders, body: body.toString('latin1') }))
}
