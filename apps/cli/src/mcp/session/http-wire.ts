import { connect as connectTcp, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { AnswerTooLarge, KnownHead, NoHttp, ResponseParser } from '@flamegate/loadtest-engine/response-parser'
import { messageInStream, messageOf, StreamInParts } from './event-stream.ts'
import { PendingCalls } from './pending-calls.ts'
import { noJsonRpc, readMessage } from './read-message.ts'
import {
  firstId,
  preparedMessage,
  type CallTrace,
  type McpWire,
  type PreparedRequest,
  type WireAnswer,
} from './wire.ts'

const answerBytesMax = 256_000_000
/** Servers close connections that have been idle; one that may be closing is not used. */
const idleMsMax = 4000

/** What the SDK sent in the session, for requests of ours to be alike. */
export interface HttpTemplate {
  url: URL
  headers: Readonly<Record<string, string>>
  meta: Readonly<Record<string, unknown>> | null
}

/** Calls over Streamable HTTP: one request for each, on connections that are kept. HTTP/1.1. */
export class HttpWire implements McpWire {
  readonly #template: HttpTemplate
  readonly #calls: PendingCalls
  readonly #asked = new Map<number, HttpConnection>()
  readonly #known = new KnownHead()
  readonly #onRequest: (request: Record<string, unknown>) => void
  #idle: HttpConnection[] = []
  #nextId = firstId
  #head: AnswerHead = { text: '', isEventStream: false, serverTimeMs: null }

  /** `onRequest` hears what the server asks in the middle of an answer, which may wait for that. */
  constructor(
    template: HttpTemplate,
    timeoutMs: number,
    onRequest: (request: Record<string, unknown>) => void,
  ) {
    this.#template = template
    this.#onRequest = onRequest
    this.#calls = new PendingCalls(timeoutMs, (id) => this.#asked.get(id)?.close())
  }

  prepare(method: string, params: Readonly<Record<string, unknown>> | undefined): PreparedRequest {
    const message = preparedMessage(method, params, this.#template)
    const { url, headers } = this.#template
    const lines = Object.entries({
      ...headers,
      ...aboutMessage(headers, method, params),
      host: url.host,
    }).map(([name, value]) => `${name}: ${value}\r\n`)
    return {
      ...message,
      head: `POST ${url.pathname}${url.search} HTTP/1.1\r\n${lines.join('')}content-length: `,
    }
  }

  call({ head, prefix, suffix, bytes }: PreparedRequest, trace?: CallTrace): Promise<WireAnswer> {
    const id = this.#nextId++
    const length = bytes + String(id).length
    const connection = this.#takeIdle() ?? this.#connect()
    const answer = this.#calls.begin(id, length)
    this.#asked.set(id, connection)
    let stream: StreamInParts | undefined
    connection.ask(`${head}${length}\r\n\r\n${prefix}${id}${suffix}`, {
      trace,
      onPart: (parser) => {
        if (!this.#headOf(parser).isEventStream) return
        stream ??= new StreamInParts()
        for (const request of stream.add(parser.viewBody())) this.#onRequest(request)
      },
      onAnswer: (parser, firstByteAtMs, endedAtMs) => {
        this.#asked.delete(id)
        const last = parser.viewBody()
        const body = (stream?.whole(last) ?? last).toString()
        this.#calls.end(id, this.#read(parser, body, { id, firstByteAtMs, endedAtMs }))
        if (connection.isUsable) this.#idle.push(connection)
      },
      onFailure: (message) => {
        this.#asked.delete(id)
        this.#calls.fail(id, { kind: 'transport', code: null, message })
      },
    })
    return answer
  }

  async open(connections: number): Promise<void> {
    const opened = Array.from({ length: connections - this.#idle.length }, () => this.#connect())
    await Promise.all(opened.map((connection) => connection.opened))
    this.#idle.push(...opened.filter((connection) => connection.isUsable))
  }

  close(): void {
    this.#calls.close()
    for (const connection of [...this.#idle, ...this.#asked.values()]) connection.close()
  }

  #connect(): HttpConnection {
    return new HttpConnection(this.#template.url, this.#known)
  }

  #takeIdle(): HttpConnection | undefined {
    const before = performance.now() - idleMsMax
    for (;;) {
      const connection = this.#idle.pop()
      if (connection === undefined) return undefined
      if (connection.isUsable && connection.idleSinceMs > before) return connection
      connection.close()
    }
  }

  /** Most answers have the head of the one before. */
  #headOf({ head }: ResponseParser): AnswerHead {
    if (head !== this.#head.text) this.#head = readHead(head)
    return this.#head
  }

  #read(
    parser: ResponseParser,
    body: string,
    { id, firstByteAtMs, endedAtMs }: { id: number; firstByteAtMs: number; endedAtMs: number },
  ): Omit<WireAnswer, 'sentAtMs' | 'requestBytes'> {
    const { isEventStream, serverTimeMs } = this.#headOf(parser)
    const found = isEventStream ? messageInStream(body, id) : messageOf(body)
    const firstEventAtMs = isEventStream ? firstByteAtMs : null
    if (found === undefined) {
      const failure =
        parser.status >= 200 && parser.status < 300
          ? noJsonRpc('The answer holds no message of JSON-RPC to the request.')
          : {
              kind: 'http' as const,
              code: parser.status,
              message: body.slice(0, 300) || `HTTP ${parser.status}`,
            }
      return { endedAtMs, firstEventAtMs, serverTimeMs, resultBytes: 0, result: undefined, failure }
    }
    const read = readMessage(found.message)
    const { bytes } = found
    return {
      endedAtMs,
      firstEventAtMs,
      resultBytes: bytes,
      ...read,
      serverTimeMs: read.serverTimeMs ?? serverTimeMs,
    }
  }
}

/** Since 2026-07-28 a request says in its headers too what it is; the SDK's own did. */
function aboutMessage(
  sent: Readonly<Record<string, string>>,
  method: string,
  params: Readonly<Record<string, unknown>> | undefined,
): Record<string, string> {
  if (!('mcp-method' in sent)) return {}
  const name = params?.['name'] ?? params?.['uri']
  if (typeof name !== 'string') return { 'mcp-method': method }
  const isPlain = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(name) && !name.startsWith('=?')
  return {
    'mcp-method': method,
    'mcp-name': isPlain ? name : `=?base64?${Buffer.from(name).toString('base64')}?=`,
  }
}

interface AnswerHead {
  text: string
  isEventStream: boolean
  serverTimeMs: number | null
}

function readHead(text: string): AnswerHead {
  const timing = /^server-timing:(.*)$/im.exec(text)?.[1]
  return {
    text,
    isEventStream: /^content-type:\s*text\/event-stream/im.test(text),
    serverTimeMs: timing === undefined ? null : serverTimeOf(timing),
  }
}

/** The metric called `total`, else the longest one: parts may be within one another. https://www.w3.org/TR/server-timing/ */
function serverTimeOf(header: string): number | null {
  const metrics = header.split(',').flatMap((metric) => {
    const duration = Number(/;\s*dur\s*=\s*"?([\d.]+)/i.exec(metric)?.[1])
    return Number.isFinite(duration) ? [{ name: metric.split(';')[0]?.trim().toLowerCase(), duration }] : []
  })
  const total = metrics.find(({ name }) => name === 'total')
  if (total !== undefined) return total.duration
  return metrics.length === 0 ? null : Math.max(...metrics.map(({ duration }) => duration))
}

interface Asker {
  trace: CallTrace | undefined
  /** Hears of an answer of which there is something, and not all. */
  onPart: (parser: ResponseParser) => void
  onAnswer: (parser: ResponseParser, firstByteAtMs: number, endedAtMs: number) => void
  onFailure: (message: string) => void
}

/** One connection, for one request at a time. */
class HttpConnection {
  /** Resolves when it is open, or is known never to be. */
  readonly opened: Promise<void>
  idleSinceMs = performance.now()
  readonly #socket: Socket
  readonly #parser = new ResponseParser(() => true, answerBytesMax)
  readonly #known: KnownHead
  #asker: Asker | undefined
  #firstByteAtMs = 0

  constructor({ protocol, hostname, port }: URL, known: KnownHead) {
    this.#known = known
    const host = hostname.replaceAll(/^\[|\]$/g, '')
    const isTls = protocol === 'https:'
    this.#socket = isTls
      ? connectTls({ host, port: Number(port) || 443, servername: host, ALPNProtocols: ['http/1.1'] })
      : connectTcp({ host, port: Number(port) || 80 })
    this.#socket.setNoDelay(true)
    this.opened = new Promise((resolve) => {
      this.#socket.once(isTls ? 'secureConnect' : 'connect', () => resolve())
      this.#socket.once('close', () => resolve())
    })
    this.#socket.on('data', (bytes: Buffer) => this.#read(bytes))
    this.#socket.on('error', (error) => this.#fail(error.message))
    this.#socket.on('close', () => {
      if (this.#asker !== undefined && this.#parser.end()) this.#answer(performance.now())
      else this.#fail('The server closed the connection before it had answered.')
    })
  }

  get isUsable(): boolean {
    return this.#asker === undefined && !this.#socket.destroyed && this.#socket.writable
  }

  ask(request: string, asker: Asker): void {
    this.#asker = asker
    this.#firstByteAtMs = 0
    this.#parser.begin(false, this.#known)
    const { trace } = asker
    if (trace === undefined) this.#socket.write(request)
    else this.#socket.write(request, () => (trace.writtenAtMs = performance.now()))
  }

  close(): void {
    this.#socket.destroy()
  }

  #read(bytes: Buffer): void {
    const now = performance.now()
    if (this.#asker === undefined) return this.close()
    if (this.#asker.trace) this.#asker.trace.firstByteAtMs ??= now
    try {
      const read = this.#parser.read(bytes, bytes.length)
      if (this.#firstByteAtMs === 0 && this.#parser.bodyBytes > 0) this.#firstByteAtMs = now
      if (this.#parser.isWhole) {
        // What nobody asked for.
        if (read < bytes.length || !this.#parser.isReusable) this.close()
        this.#answer(now)
      } else if (this.#parser.bodyBytes > 0) this.#asker.onPart(this.#parser)
    } catch (error) {
      if (!(error instanceof NoHttp || error instanceof AnswerTooLarge)) throw error
      this.#fail(error.message)
      this.close()
    }
  }

  #answer(now: number): void {
    const asker = this.#asker
    this.#asker = undefined
    this.idleSinceMs = now
    asker?.onAnswer(this.#parser, this.#firstByteAtMs, now)
  }

  #fail(message: string): void {
    const asker = this.#asker
    this.#asker = undefined
    asker?.onFailure(message)
  }
}
