import { WebSocket } from 'ws'
import type { RawData } from 'ws'
import type { ExchangeHeader } from '@flamegate/loadtest'
import { ActionFailure } from '../action-failure.ts'
import { destinationOf, openSocket } from '../http/connect.ts'
import type { ConnectTimings } from '../http/connect-failed.ts'
import type { Transport } from '../http/transport.ts'
import type { Way } from '../http/way.ts'
import type { TargetGate } from '../ports.ts'

const messageBytesMax = 16_000_000
/** That came and that nobody expected yet. */
const waitingBytesMax = 64_000_000
const closeMs = 5000

export interface Message {
  bytes: Buffer
  isBinary: boolean
}

/** The first answer of the server, whether it agrees or not. */
export interface Handshake {
  status: number
  statusText: string
  headers: ExchangeHeader[]
  timings: ConnectTimings & { firstByteMs: number }
  remoteAddress: string
}

export interface OpenOptions {
  url: URL
  headers: Readonly<Record<string, string>>
  subprotocols: readonly string[]
  transport: Transport
  gate: TargetGate
  way: Way
  timeoutMs: number
  signal: AbortSignal
}

/** One open connection, with what came on it and is not taken yet. */
export class MessageSocket {
  readonly #socket: WebSocket
  readonly #waiting: Message[] = []
  #waitingBytes = 0
  /** Why no more messages come; undefined while they may. */
  #ended: string | undefined
  #wake: () => void = () => {}

  constructor(socket: WebSocket) {
    this.#socket = socket
    socket.on('message', (data, isBinary) => this.#take(bytesOf(data), isBinary))
    socket.on('close', (code, reason) => {
      const words = reason.toString().slice(0, 200)
      this.#end(`The connection was closed with the code ${code}${words === '' ? '' : ` (${words})`}.`)
    })
    socket.on('error', (error) => this.#end(`The connection broke: ${error.message}`))
  }

  /** @throws ActionFailure where it is closed already */
  async send(message: Buffer, isBinary: boolean): Promise<void> {
    if (this.#ended !== undefined) throw new ActionFailure(this.#ended)
    await new Promise<void>((resolve, reject) => {
      this.#socket.send(message, { binary: isBinary }, (error) =>
        error == null ? resolve() : reject(new ActionFailure(`The message was not sent: ${error.message}`)),
      )
    })
  }

  /**
   * The next message, waiting for it where there is none yet.
   * @throws ActionFailure where none comes in time
   */
  async next(deadline: number, signal: AbortSignal): Promise<Message> {
    for (;;) {
      const message = this.#waiting.shift()
      if (message !== undefined) {
        this.#waitingBytes -= message.bytes.length
        return message
      }
      if (this.#ended !== undefined) throw new ActionFailure(this.#ended)
      const left = deadline - performance.now()
      if (left <= 0) throw new ActionFailure('No message came in time.')
      await this.#change(left, signal)
    }
  }

  async close(code: number): Promise<void> {
    this.#socket.close(code)
    const deadline = performance.now() + closeMs
    while (this.#ended === undefined && performance.now() < deadline)
      await this.#change(deadline - performance.now(), new AbortController().signal)
    this.#socket.terminate()
  }

  terminate(): void {
    this.#socket.terminate()
  }

  #take(bytes: Buffer, isBinary: boolean): void {
    this.#waitingBytes += bytes.length
    if (this.#waitingBytes > waitingBytesMax) {
      this.#end(`More than ${waitingBytesMax / 1e6} MB of messages came that nobody expected.`)
      this.#socket.terminate()
      return
    }
    this.#waiting.push({ bytes, isBinary })
    this.#wake()
  }

  #end(words: string): void {
    this.#ended ??= words
    this.#wake()
  }

  async #change(timeoutMs: number, signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, timeoutMs)
    const onAbort = () => reject(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    this.#wake = resolve
    try {
      await promise
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
    }
  }
}

/** The WebSocket connections of one user, by the names that its actions call them. */
export class WebSockets {
  readonly #sockets = new Map<string, MessageSocket>()

  /** One that had the name before is ended. */
  add(name: string, socket: MessageSocket): void {
    this.#sockets.get(name)?.terminate()
    this.#sockets.set(name, socket)
  }

  /** @throws ActionFailure where nothing is connected under this name */
  get(name: string): MessageSocket {
    const socket = this.#sockets.get(name)
    if (socket === undefined) throw new ActionFailure(`No WebSocket is connected under the name ${name}.`)
    return socket
  }

  async close(name: string, code: number): Promise<void> {
    const socket = this.get(name)
    this.#sockets.delete(name)
    await socket.close(code)
  }

  closeAll(): void {
    for (const socket of this.#sockets.values()) socket.terminate()
    this.#sockets.clear()
  }
}

/**
 * Connects through the gate, and asks for a WebSocket (RFC 6455).
 * @throws ConnectFailed, and whatever breaks the handshake. `socket` is null where the server refused.
 */
export async function openWebSocket(
  options: OpenOptions,
): Promise<{ socket: MessageSocket | null; handshake: Handshake }> {
  const { url, headers, subprotocols, gate, way, timeoutMs, signal } = options
  const transport = { ...options.transport, isHttp2: false }
  const proxy = way.proxy()
  const passage = { gate, signal, line: way.line, proxy, needsTunnel: true }
  const opened = await openSocket(destinationOf(url), transport, passage)
  const asked = performance.now()
  const { promise, resolve, reject } = Promise.withResolvers<Handshake>()
  const websocket = new WebSocket(url, [...subprotocols], {
    headers,
    createConnection: () => opened.socket,
    handshakeTimeout: timeoutMs,
    maxPayload: messageBytesMax,
    followRedirects: false,
  })
  // Listens from the first moment: servers may speak at once.
  const socket = new MessageSocket(websocket)
  const handshakeOf = (response: {
    statusCode?: number
    statusMessage?: string
    rawHeaders: string[]
  }): Handshake => ({
    status: response.statusCode ?? 0,
    statusText: response.statusMessage ?? '',
    headers: pairs(response.rawHeaders),
    timings: { ...opened.timings, firstByteMs: performance.now() - asked },
    remoteAddress: opened.remoteAddress,
  })
  let handshake: Handshake | undefined
  const onAbort = () => reject(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  websocket
    .once('upgrade', (response) => (handshake = handshakeOf(response)))
    .once('open', () => {
      if (handshake !== undefined) resolve(handshake)
    })
    .once('unexpected-response', (request, response) => {
      resolve(handshakeOf(response))
      request.destroy()
      opened.socket.destroy()
    })
    .once('error', reject)
  try {
    const agreed = await promise
    return { socket: websocket.readyState === WebSocket.OPEN ? socket : null, handshake: agreed }
  } catch (error) {
    websocket.terminate()
    opened.socket.destroy()
    throw error
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

function pairs(raw: readonly string[]): ExchangeHeader[] {
  const headers: ExchangeHeader[] = []
  for (let index = 0; index + 1 < raw.length; index += 2)
    headers.push({ name: raw[index] ?? '', value: raw[index + 1] ?? '' })
  return headers
}

function bytesOf(data: RawData): Buffer {
  if (Buffer.isBuffer(data)) return data
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data)
}
