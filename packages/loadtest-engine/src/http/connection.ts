import { Client } from 'undici'
import type { OpenSocket } from './connect.ts'
import { NotSent, TimedOut, TooLarge } from './network-words.ts'
import type { Proxy } from './proxy.ts'

/** Streams that are open at once over HTTP/2, at most. */
const streamsMax = 100

export interface RawRequest {
  method: string
  /** With the query. */
  path: string
  /** Names and values in turns, without those that frame the message. */
  headers: string[]
  body: Buffer | null
  timeoutMs: number
  bytesMax: number
  signal: AbortSignal
}

/** An answer as it came over the network. */
export interface RawAnswer {
  status: number
  statusText: string
  headers: { name: string; value: string }[]
  body: Buffer
  /** Null over HTTP/2, where it cannot be told. */
  sendMs: number | null
  firstByteMs: number
  downloadMs: number
}

/** There is no whole answer. `isUnheard`: not a byte of one came, and the connection ended. */
export class NoAnswer extends Error {
  readonly isUnheard: boolean

  constructor(cause: unknown, isUnheard: boolean) {
    super('No answer.', { cause })
    this.isUnheard = isUnheard
  }
}

/** One open connection, which is never opened again: whoever wants another one asks the gate again. */
export class Connection {
  readonly remoteAddress: string
  readonly isHttp2: boolean
  /** False: it carries one request, and is closed by whoever had it. */
  readonly keepsAlive: boolean
  /** Requests that may be under way on it. */
  readonly capacity: number
  active = 0
  isUsed = false
  #isClosed = false
  readonly #client: Client
  readonly #socket: OpenSocket['socket']
  readonly #origin: string
  readonly #forwarder: OpenSocket['forwarder']

  constructor(
    origin: string,
    { socket, remoteAddress, isHttp2, forwarder }: OpenSocket,
    keepsAlive: boolean,
    onClosed: () => void,
  ) {
    this.remoteAddress = remoteAddress
    this.isHttp2 = isHttp2
    this.keepsAlive = keepsAlive
    this.capacity = isHttp2 && keepsAlive ? streamsMax : 1
    this.#socket = socket
    this.#origin = origin
    this.#forwarder = forwarder
    if (isHttp2) Object.assign(socket, { alpnProtocol: 'h2' })
    let isGiven = false
    this.#client = new Client(origin, {
      connect: (_options, callback) => {
        const again = isGiven
        isGiven = true
        // Later, because the client is not ready for it while it asks.
        queueMicrotask(() => {
          // No error of a kind after which the client would try again, for ever.
          if (again || socket.destroyed)
            callback(new NotSent('The connection was closed by the other side.'), null)
          // @ts-expect-error -- any duplex stream will do: it is read and written, and no more
          else callback(null, socket)
        })
      },
      allowH2: isHttp2,
      // Time and size are watched here, for the whole answer.
      headersTimeout: 0,
      bodyTimeout: 0,
      maxHeaderSize: 65_536,
      keepAliveTimeout: 120_000,
      h2Options: { maxConcurrentStreams: streamsMax, pingInterval: 0 },
    })
    const close = () => {
      if (this.#isClosed) return
      this.#isClosed = true
      onClosed()
    }
    this.#client.on('disconnect', close)
    socket.once('close', close)
  }

  /** Some answers end the connection; that is known before it is told. */
  get isClosed(): boolean {
    return this.#isClosed || this.#socket.destroyed
  }

  /** @throws NoAnswer with the cause */
  send(request: RawRequest): Promise<RawAnswer> {
    const { method, body, timeoutMs, bytesMax, signal } = request
    const { path, headers } =
      this.#forwarder === null ? request : forwarded(request, this.#origin, this.#forwarder)
    this.isUsed = true
    const socket = this.#socket
    return new Promise((resolve, reject) => {
      const dispatched = performance.now()
      let sent: number | null = null
      let firstByte: number | null = null
      let size = 0
      let status = 0
      let statusText = ''
      let answerHeaders: RawAnswer['headers'] = []
      let abort: (reason: Error) => void = (reason) => void this.#client.destroy(reason)
      const chunks: Buffer[] = []
      const timer = setTimeout(() => abort(new TimedOut('get the whole answer', timeoutMs)), timeoutMs)
      const onAbort = () =>
        abort(signal.reason instanceof Error ? signal.reason : new Error('It was cancelled.'))
      const finish = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', onAbort)
      }
      const fail = (error: unknown) => {
        finish()
        const isUnheard = firstByte === null && !(error instanceof TimedOut) && !signal.aborted
        reject(new NoAnswer(error, isUnheard))
      }
      signal.addEventListener('abort', onAbort, { once: true })
      // The name of the connection is settled: a Host header does not ask for another one.
      const options = { method, path, headers, body, servername: 'settled', reset: !this.keepsAlive }
      this.#client.dispatch(options, {
        onRequestStart: (controller) => {
          abort = (reason) => controller.abort(reason)
          if (signal.aborted) onAbort()
          // Written in this turn; what is written after it is done when the last of the request was taken over.
          if (!this.isHttp2 && !signal.aborted)
            process.nextTick(() => {
              if (!socket.destroyed && socket.writable) socket.write('', () => (sent ??= performance.now()))
            })
        },
        onResponseStarted: () => {
          firstByte ??= performance.now()
        },
        onResponseStart: (controller, code, _headers, text) => {
          firstByte ??= performance.now()
          status = code
          statusText = text ?? ''
          answerHeaders = readHeaders(controller.rawHeaders)
        },
        onResponseData: (controller, chunk) => {
          size += chunk.length
          if (size > bytesMax) controller.abort(new TooLarge(bytesMax))
          else chunks.push(chunk)
        },
        onResponseEnd: () => {
          finish()
          const end = performance.now()
          const first = firstByte ?? end
          // An answer may come before the callback of the write does.
          const sentAt = Math.min(sent ?? first, first)
          resolve({
            status,
            statusText,
            headers: answerHeaders,
            body: Buffer.concat(chunks),
            sendMs: this.isHttp2 ? null : sentAt - dispatched,
            firstByteMs: first - (this.isHttp2 ? dispatched : sentAt),
            downloadMs: end - first,
          })
        },
        onResponseError: (_controller, error) => fail(error),
      })
    })
  }

  close(): void {
    this.#isClosed = true
    void this.#client.destroy()
    this.#socket.destroy()
  }
}

/** As a proxy wants it (RFC 9112, 3.2.2). What proves the user to it is no part of the request that is told. */
function forwarded(
  { path, headers }: RawRequest,
  origin: string,
  { authorization }: Proxy,
): Pick<RawRequest, 'path' | 'headers'> {
  const proof = authorization === null ? [] : ['proxy-authorization', authorization]
  return { path: origin + path, headers: [...headers, ...proof] }
}

/** In the order in which they came, as far as that is known. */
function readHeaders(raw: unknown): RawAnswer['headers'] {
  if (Array.isArray(raw)) {
    const headers: RawAnswer['headers'] = []
    for (let index = 0; index + 1 < raw.length; index += 2)
      headers.push({ name: String(raw[index]), value: latin1(raw[index + 1]) })
    return headers
  }
  return Object.entries(raw ?? {})
    .filter(([name]) => !name.startsWith(':'))
    .flatMap(([name, value]) =>
      (Array.isArray(value) ? value : [value]).map((each) => ({ name, value: String(each) })),
    )
}

function latin1(value: unknown): string {
  return Buffer.isBuffer(value) ? value.toString('latin1') : String(value)
}
