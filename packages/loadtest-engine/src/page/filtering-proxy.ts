import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import type { ErrorClass } from '@flamegate/series'
import type { TargetGate } from '../ports.ts'

/** A proxy on loopback that every connection of a browser goes through, so that the gate decides about each of them. */
export interface FilteringProxy {
  /** `http://127.0.0.1:port` */
  url: string
  /** Hosts that were refused, and why; each once. */
  refused: ReadonlyMap<string, string>
  stop: () => Promise<void>
}

/**
 * Opens connections to the very addresses that the gate gave: what a name means is looked up once, here, and never by the
 * browser. CONNECT is for https and WebSockets, requests with a whole URL are for plain http (RFC 9110, 9.3.6 and RFC 9112, 3.2.2).
 */
export async function startFilteringProxy(gate: TargetGate): Promise<FilteringProxy> {
  const refused = new Map<string, string>()
  const sockets = new Set<Duplex>()
  const keep = <Kept extends Duplex>(socket: Kept): Kept => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    return socket
  }
  const open = async (host: string, port: number): Promise<Socket> => {
    const [first] = await gate.resolve(host, port)
    if (first === undefined) throw new Error(`${host} has no address.`)
    return keep(connect({ host: first.address, port, family: first.family }))
  }
  const refuse = (host: string, error: unknown): string => {
    const words = error instanceof Error ? error.message : 'It cannot be reached.'
    refused.set(host, words)
    return words
  }

  const forward = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    let url: URL
    try {
      url = new URL(incoming.url ?? '')
    } catch {
      outgoing.writeHead(400).end('A whole URL is wanted.')
      return
    }
    const host = bare(url.hostname)
    const port = Number(url.port || 80)
    try {
      const socket = await open(host, port)
      const { 'proxy-connection': _, 'proxy-authorization': __, ...headers } = incoming.headers
      const onwards = request(
        {
          createConnection: () => socket,
          method: incoming.method,
          path: `${url.pathname}${url.search}`,
          // The host that was let through, whatever the browser was told to call it.
          headers: { ...headers, host: url.host, connection: 'close' },
        },
        (answer) => {
          outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
          answer.pipe(outgoing)
        },
      )
      onwards.on('error', (error: NodeJS.ErrnoException) => {
        const failure = error.syscall === 'connect' ? 'connection_refused' : 'connection_terminated'
        if (outgoing.headersSent) outgoing.destroy()
        else outgoing.writeHead(502, ownAnswer(failure)).end(error.message)
      })
      outgoing.on('close', () => onwards.destroy())
      incoming.pipe(onwards)
    } catch (error) {
      outgoing.writeHead(403, ownAnswer('destination_ip_prohibited')).end(refuse(url.host, error))
    }
  }

  const tunnel = async (target: URL, authority: string, client: Duplex, head: Buffer) => {
    try {
      const socket = await open(bare(target.hostname), Number(target.port || 80))
      socket.once('connect', () => {
        client.write('HTTP/1.1 200 Connection established\r\n\r\n')
        socket.write(head)
        socket.pipe(client)
        client.pipe(socket)
      })
      socket.once('close', () => client.destroy())
      client.once('close', () => socket.destroy())
    } catch (error) {
      refuse(authority, error)
      client.end('HTTP/1.1 403 Forbidden\r\n\r\n')
    }
  }

  const server = createServer((incoming, outgoing) => void forward(incoming, outgoing))
  server.on('connection', keep)
  server.on('connect', (incoming: IncomingMessage, client: Duplex, head: Buffer) => {
    const target = URL.parse(`http://${incoming.url ?? ''}`)
    if (target === null) {
      client.end('HTTP/1.1 400 Bad Request\r\n\r\n')
      return
    }
    void tunnel(target, incoming.url ?? '', client, head)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on TCP
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    refused,
    stop: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** What the proxy itself can fail with, as RFC 9209 (Proxy-Status) names it. */
const proxyFailures = {
  destination_ip_prohibited: 'refused_target',
  connection_refused: 'connect',
  connection_terminated: 'reset',
} as const satisfies Record<string, ErrorClass>

const proxyName = 'flamegate-agent'

function ownAnswer(failure: keyof typeof proxyFailures): Record<string, string> {
  return { 'content-type': 'text/plain; charset=utf-8', 'proxy-status': `${proxyName}; error=${failure}` }
}

/** What an answer says that is the proxy's, and not the server's. */
export function proxyFailure(headers: Readonly<Record<string, string>>): ErrorClass | undefined {
  const [name, error] = (headers['proxy-status'] ?? '').split('; error=')
  return name === proxyName
    ? Object.entries(proxyFailures).find(([failure]) => failure === error)?.[1]
    : undefined
}

/** IPv6 addresses stand in brackets in a URL. */
function bare(host: string): string {
  return host.startsWith('[') ? host.slice(1, -1) : host
}
