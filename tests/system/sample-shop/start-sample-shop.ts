import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { WebSocketServer } from '../../../packages/loadtest-engine/src/testing/web-socket-server.ts'
import { readBody, readForm } from './read-body.ts'
import { type Answer, answer } from './routes.ts'
import { ShopState } from './shop-state.ts'

/** A request that the shop has answered. */
export interface AnsweredRequest {
  method: string
  /** With its query. */
  path: string
  status: number
}

export interface SampleShop {
  /** `http://127.0.0.1:<port>` */
  url: string
  /** All so far, WebSockets with status 101 included. */
  requests: AnsweredRequest[]
  /** A new token of the API, as somebody has it who logged in. */
  bearerOf: (user: 'ann' | 'bob') => string
  stop: () => Promise<void>
}

/**
 * A small shop, as real ones are: a login with a form token that is new each time, a session cookie, redirects, a page whose
 * JavaScript calls a JSON API with a bearer token, nonces that end, created ids, uploads, gzip, chunks and a WebSocket. Whatever
 * it gives out is random and new, so that nothing of a recording works a second time unless it is correlated.
 * Users are `ann` with `ann-password` and `bob` with `bob-password`.
 */
export async function startSampleShop({ nonceMs = 60_000 } = {}): Promise<SampleShop> {
  const state = new ShopState(nonceMs)
  const requests: AnsweredRequest[] = []
  const server = createServer((request, response) => {
    respond(request, response, state).then(
      () =>
        requests.push({ method: request.method ?? '', path: request.url ?? '', status: response.statusCode }),
      () => response.destroy(),
    )
  })
  const sockets = new WebSocketServer({ noServer: true })
  server.on('upgrade', (request, socket, head) => {
    const url = new URL(request.url ?? '', 'http://shop')
    const user = url.pathname === '/live' ? state.takeTicket(url.searchParams.get('ticket')) : undefined
    requests.push({ method: 'GET', path: request.url ?? '', status: user === undefined ? 403 : 101 })
    if (user === undefined) return refuse(socket)
    sockets.handleUpgrade(request, socket, head, (client) =>
      client.on('message', (message: Buffer) => client.send(live(message.toString(), user, state))),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('A TCP server has a port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    bearerOf: (user) => state.bearer(user),
    stop: async () => {
      for (const client of sockets.clients) client.terminate()
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

function refuse(socket: Duplex): void {
  socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
}

/** What is said to a message: the state of an order of this user. */
function live(message: string, user: string, state: ShopState): string {
  const id = /"order_id"\s*:\s*"(\w+)"/.exec(message)?.[1] ?? ''
  const order = state.order(user, id)
  return JSON.stringify(
    order === undefined
      ? { type: 'error', status: 'UNKNOWN' }
      : { type: 'status', order_id: id, status: order.status },
  )
}

async function respond(request: IncomingMessage, response: ServerResponse, state: ShopState): Promise<void> {
  const body = await readBody(request)
  const { headers } = request
  const cookies = (headers.cookie ?? '').split(';').map((pair): [string, string] => {
    const equals = pair.indexOf('=')
    return [pair.slice(0, equals).trim(), pair.slice(equals + 1).trim()]
  })
  const said = answer(
    {
      method: request.method ?? 'GET',
      path: new URL(request.url ?? '/', 'http://shop').pathname,
      headers,
      cookies: new Map(cookies),
      form: () => readForm(headers['content-type'] ?? '', body),
      json: () => parsed(body.toString()),
    },
    state,
  )
  await send(said, request, response)
}

async function send(said: Answer, request: IncomingMessage, response: ServerResponse): Promise<void> {
  response.statusCode = said.status ?? 200
  for (const [name, value] of Object.entries(said.headers ?? {})) response.setHeader(name, value)
  if (said.chunks !== undefined) {
    for (const chunk of said.chunks) response.write(chunk)
    response.end()
  } else {
    const isCompressed = said.gzip === true && /\bgzip\b/.test(String(request.headers['accept-encoding']))
    if (isCompressed) response.setHeader('content-encoding', 'gzip')
    const bytes = isCompressed ? gzipSync(said.body ?? '') : Buffer.from(said.body ?? '')
    response.setHeader('content-length', bytes.length)
    response.end(bytes)
  }
  await once(response, 'close')
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
