import { once } from 'node:events'
import {
  createServer,
  Agent as HttpAgent,
  request as requestHttp,
  type IncomingMessage,
  type RequestOptions,
  type ServerResponse,
} from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { UsageError } from '../../usage-error.ts'
import { messageInStream, messageOf } from '../session/event-stream.ts'
import { noJsonRpc, readMessage, type ReadMessage } from '../session/read-message.ts'
import { isLoopback } from '../target/allowed-load.ts'
import type { HttpTarget } from '../target/mcp-target.ts'
import type { SampledCalls } from './sampled-calls.ts'

const bodyBytesMax = 64_000_000
/** Until the hello of a client was seen, so many requests are listened to for it. */
const watchedForHello = 20
/** Between two neighbours only: https://www.rfc-editor.org/rfc/rfc9110#section-7.6.1 */
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

export interface Proxying {
  /** Where clients reach the server through this process. */
  url: string
  /** Requests so far. */
  messages: () => number
  close: () => Promise<void>
}

/**
 * Passes requests on to a server, and its answers back as they come, streams too. Only for programs of this machine, because it adds
 * the headers that the server is configured with.
 * @throws UsageError when the port is taken
 */
export async function proxyHttp(target: HttpTarget, port: number, calls: SampledCalls): Promise<Proxying> {
  const url = new URL(target.url)
  const isTls = url.protocol === 'https:'
  const agent = isTls ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true })
  const ask = isTls ? requestHttps : requestHttp
  let messages = 0

  function pass(request: IncomingMessage, response: ServerResponse): void {
    if (!isOfThisMachine(request)) {
      response.writeHead(403, { 'content-type': 'text/plain' }).end('Only for programs of this machine.\n')
      return
    }
    const place = placeOf(request, url)
    if (place === undefined) {
      response.writeHead(400, { 'content-type': 'text/plain' }).end('Ask with a path, such as /mcp.\n')
      return
    }
    const isPost = request.method === 'POST'
    if (isPost) messages++
    const isHello = isPost && calls.server === null && messages <= watchedForHello
    const call = isPost && (calls.isSampled() || isHello) ? new HeardCall(calls) : undefined
    const options: RequestOptions = {
      agent,
      method: request.method,
      headers: headersFor(request, target, call !== undefined),
    }
    const upstream = ask(place, options, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.statusMessage, kept(answer.rawHeaders))
      // A stream of events may say nothing for long.
      response.flushHeaders()
      call?.hearAnswer(answer)
      answer.pipe(response)
      answer.on('error', () => response.destroy())
    })
    upstream.on('error', (error) => {
      call?.fail({ kind: 'transport', code: null, message: error.message })
      if (response.headersSent) response.destroy()
      else response.writeHead(502, { 'content-type': 'text/plain' }).end('The server could not be reached.\n')
    })
    // Who asked is gone.
    response.on('close', () => upstream.destroy())
    if (call !== undefined) request.on('data', (bytes: Buffer) => call.hearRequest(bytes))
    if (call !== undefined) request.on('end', () => call.sent())
    request.pipe(upstream)
  }

  const server = createServer(pass)
  // Streams of events last as long as their sessions.
  server.requestTimeout = 0
  server.listen(port, '127.0.0.1')
  await once(server, 'listening').catch((error: unknown) => {
    throw new UsageError(
      `--port ${port}: ${error instanceof Error ? error.message : 'it cannot be listened on'}.`,
    )
  })
  const address = server.address()
  const own = typeof address === 'object' && address !== null ? address.port : port
  return {
    url: `http://127.0.0.1:${own}${url.pathname}${url.search}`,
    messages: () => messages,
    close: async () => {
      server.closeAllConnections()
      agent.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/**
 * A page of the web may ask too, by a name that leads here: https://modelcontextprotocol.io/specification/2025-06-18/basic/transports#security-warning
 * Where a browser tells no origin, as of an image, it tells whether the page is another one.
 */
function isOfThisMachine({ headers: { host, origin, ...others } }: IncomingMessage): boolean {
  if (!isHere(`http://${host ?? ''}`)) return false
  if (origin !== undefined) return isHere(origin)
  const site = others['sec-fetch-site']
  return site === undefined || site === 'same-origin' || site === 'none'
}

/** Where a request goes on to; undefined when its target names a host, which must not get the headers that are for the server. */
function placeOf({ url: target = '/' }: IncomingMessage, server: URL): URL | undefined {
  const place = /^\/(?!\/)/.test(target) ? URL.parse(target, server.href) : null
  return place?.origin === server.origin ? place : undefined
}

function isHere(url: string): boolean {
  return URL.canParse(url) && isLoopback(new URL(url).hostname)
}

/** Names and values in turns, as they came. */
function kept(raw: readonly string[]): string[] {
  return raw.flatMap((name, index) =>
    index % 2 === 0 && !hopByHop.has(name.toLowerCase()) ? [name, raw[index + 1] ?? ''] : [],
  )
}

function headersFor(
  { rawHeaders, headers }: IncomingMessage,
  target: HttpTarget,
  isHeard: boolean,
): string[] {
  const given = new Set(Object.keys(target.headers).map((name) => name.toLowerCase()))
  const own = new Set([...given, 'host', ...(isHeard ? ['accept-encoding'] : [])])
  const passed = kept(rawHeaders)
  const body = headers['transfer-encoding'] === undefined ? [] : ['transfer-encoding', 'chunked']
  return [
    ...passed.filter((_, index) => !own.has((passed[index - (index % 2)] ?? '').toLowerCase())),
    ...Object.entries(target.headers).flat(),
    ...body,
    'host',
    new URL(target.url).host,
    // What is packed cannot be listened to.
    ...(isHeard ? ['accept-encoding', 'identity'] : []),
  ]
}

/** One request that is timed. */
class HeardCall {
  readonly #calls: SampledCalls
  readonly #request = new Pieces()
  #id: unknown

  constructor(calls: SampledCalls) {
    this.#calls = calls
  }

  hearRequest(bytes: Buffer): void {
    this.#request.add(bytes)
  }

  sent(): void {
    const text = this.#request.text()
    const found = text === undefined ? undefined : messageOf(text)
    if (found === undefined) return
    this.#id = found.message['id']
    // Clients count alike: what tells calls apart is not their ids.
    this.#calls.began(this, found.message, { requestBytes: found.bytes, sentAtMs: performance.now() })
  }

  hearAnswer(answer: IncomingMessage): void {
    const body = new Pieces()
    const isStream = /^text\/event-stream/i.test(answer.headers['content-type'] ?? '')
    let firstAtMs: number | null = null
    answer.on('data', (bytes: Buffer) => {
      firstAtMs ??= performance.now()
      body.add(bytes)
    })
    answer.on('end', () => {
      const text = body.text() ?? ''
      const found = isStream ? messageInStream(text, this.#id) : messageOf(text)
      const status = answer.statusCode ?? 0
      const read = found === undefined ? unreadable(status, text.slice(0, 300)) : readMessage(found.message)
      this.#end(read, found?.bytes ?? 0, isStream ? firstAtMs : null)
    })
  }

  fail(failure: NonNullable<ReadMessage['failure']>): void {
    this.#end({ result: undefined, serverTimeMs: null, failure }, 0, null)
  }

  #end(read: ReadMessage, resultBytes: number, firstEventAtMs: number | null): void {
    this.#calls.ended(this, read, { resultBytes, endedAtMs: performance.now(), firstEventAtMs })
  }
}

function unreadable(status: number, text: string): ReadMessage {
  const failure =
    status >= 200 && status < 300
      ? noJsonRpc('The answer holds no message of JSON-RPC to the request.')
      : { kind: 'http' as const, code: status, message: text || `HTTP ${status}` }
  return { result: undefined, serverTimeMs: null, failure }
}

class Pieces {
  readonly #pieces: Buffer[] = []
  #bytes = 0

  add(bytes: Buffer): void {
    this.#bytes += bytes.length
    if (this.#bytes <= bodyBytesMax) this.#pieces.push(bytes)
  }

  /** Undefined when it was too much. */
  text(): string | undefined {
    return this.#bytes > bodyBytesMax ? undefined : Buffer.concat(this.#pieces).toString()
  }
}
