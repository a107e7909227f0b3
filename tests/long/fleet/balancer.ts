import { once } from 'node:events'
import { Agent, createServer, request } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'

/** A load balancer on loopback: round robin over the servers that take part. */
export interface Balancer {
  url: string
  add(url: string): void
  remove(url: string): void
  close(): Promise<void>
}

/**
 * A request goes to the next server; when that one cannot be connected to, to the one after it. What breaks later is
 * the client's to see, as with a real one.
 */
export async function startBalancer(): Promise<Balancer> {
  const targets: string[] = []
  let next = 0
  const agent = new Agent({ keepAlive: true, maxSockets: 256 })
  const server = createServer((incoming, outgoing) => {
    // Read first, so that it can be sent again elsewhere.
    const pieces: Buffer[] = []
    incoming.on('data', (piece: Buffer) => pieces.push(piece))
    incoming.on('end', () => pass(incoming, outgoing, Buffer.concat(pieces), targets.length))
  })
  // As nginx. With five seconds, Node's own, a client on a busy machine sends on a connection that is just being closed.
  server.keepAliveTimeout = 75_000
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new TypeError('The balancer listens on a port')

  function pass(incoming: IncomingMessage, outgoing: ServerResponse, body: Buffer, triesLeft: number): void {
    next += 1
    const target = targets[next % targets.length]
    if (target === undefined) {
      outgoing.writeHead(502).end()
      return
    }
    const { hostname, port } = new URL(target)
    const { method, url, headers } = incoming
    const upstream = request({ hostname, port, method, path: url, headers, agent }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.on('error', () => outgoing.destroy()).pipe(outgoing)
    })
    upstream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED' && triesLeft > 1) pass(incoming, outgoing, body, triesLeft - 1)
      else outgoing.destroy()
    })
    upstream.end(body)
  }

  return {
    url: `http://127.0.0.1:${address.port}`,
    add: (url) => void targets.push(url),
    remove: (url) => void targets.splice(targets.indexOf(url), 1),
    async close() {
      server.closeAllConnections()
      server.close()
      agent.destroy()
      await once(server, 'close')
    },
  }
}
