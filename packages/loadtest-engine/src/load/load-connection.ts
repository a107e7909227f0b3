import { connect as connectTcp } from 'node:net'
import type { Duplex } from 'node:stream'
import { connect as connectTls } from 'node:tls'
import { ConnectFailed } from '../http/connect-failed.ts'
import { networkWords, NotSent, TimedOut } from '../http/network-words.ts'
import type { Origin } from './origin.ts'
import { readFromSocket, writeToSocket } from './raw-socket.ts'
import { ResponseParser } from './response-parser.ts'
import type { KnownHead } from './response-parser.ts'
import { Timed } from './timer-wheel.ts'
import type { TimerWheel } from './timer-wheel.ts'

const answerBytesMax = 64_000_000

/** Bytes of all connections come here, one after the other: whoever wants them longer than a turn copies them. */
const shared = Buffer.allocUnsafeSlow(65_536)

/** Whoever sends on a connection. */
export interface ConnectionUser {
  onOpen: (connection: LoadConnection, now: number) => void
  /** Whether the body of the answer that begins is wanted. */
  wantsBody: (parser: ResponseParser) => boolean
  onAnswer: (connection: LoadConnection, now: number) => void
  /** No connection came about, or there is no whole answer. */
  onFailure: (connection: LoadConnection, error: unknown, now: number) => void
}

/** Has a connection closed when its first answer is there, whatever the server thinks of it. */
export class OneRequest implements ConnectionUser {
  readonly #user: ConnectionUser

  constructor(user: ConnectionUser) {
    this.#user = user
  }

  onOpen(connection: LoadConnection, now: number): void {
    this.#user.onOpen(connection, now)
  }

  wantsBody(parser: ResponseParser): boolean {
    return this.#user.wantsBody(parser)
  }

  onAnswer(connection: LoadConnection, now: number): void {
    connection.close()
    this.#user.onAnswer(connection, now)
  }

  onFailure(connection: LoadConnection, error: unknown, now: number): void {
    this.#user.onFailure(connection, error, now)
  }
}

/** What a generator counts of its connections. */
export interface ConnectionCount {
  connections: number
}

const isOpening = 0
const isIdle = 1
const isAsked = 2
const isClosed = 3

/** One connection of one user, for one request at a time, over HTTP/1.1. */
export class LoadConnection extends Timed {
  readonly origin: Origin
  readonly parser: ResponseParser
  /** Has carried a request before this one. */
  isUsed = false
  /** Milliseconds that it took to open, to be told with the first request. */
  dnsMs = 0
  connectMs = 0
  tlsMs = 0
  /** As performance.now() tells them. */
  sentAt = 0
  firstByteAt = 0
  readonly #user: ConnectionUser
  readonly #wheel: TimerWheel
  readonly #count: ConnectionCount
  #state = isOpening
  #socket: Duplex | null = null
  #connectedAt = 0
  #deadline = 0
  /** When it has to be open. */
  #openBy = 0
  #addresses: readonly string[] = []
  #tried = 0

  constructor(origin: Origin, user: ConnectionUser, wheel: TimerWheel, count: ConnectionCount) {
    super()
    this.origin = origin
    this.#user = user
    this.#wheel = wheel
    this.#count = count
    this.parser = new ResponseParser((parser) => user.wantsBody(parser), answerBytesMax)
  }

  get isOpen(): boolean {
    return this.#state === isIdle
  }

  /** Not a byte of the answer that is waited for has come. */
  get isUnheard(): boolean {
    return this.firstByteAt === 0
  }

  open(now: number): void {
    this.#count.connections++
    this.#openBy = now + this.origin.transport.connectTimeoutMs
    this.#waitUntil(this.#openBy)
    const addresses = this.origin.addressesAt(now)
    if (addresses !== undefined) return this.#connect(addresses)
    void this.#resolve()
  }

  async #resolve(): Promise<void> {
    let addresses
    try {
      addresses = await this.origin.resolve()
    } catch (error) {
      return this.#failOpening(error)
    }
    if (this.#state !== isOpening) return
    this.dnsMs = this.origin.lookupMs
    this.#connect(addresses)
  }

  /** `text`: the whole request, each character a byte. */
  send(text: string, isToHead: boolean, known: KnownHead | null, timeoutMs: number, now: number): void {
    const socket = this.#socket
    this.sentAt = now
    this.firstByteAt = 0
    if (this.#state !== isIdle || socket === null) {
      this.#state = isAsked
      this.#fail(new NotSent('The connection was closed by the other side.'))
      return
    }
    this.#state = isAsked
    this.parser.begin(isToHead, known)
    this.#waitUntil(now + timeoutMs)
    this.transmit(socket, text)
  }

  /** An answer that did not come in time, or an opening that took too long. */
  onDue(now: number): void {
    if (this.#state === isIdle || this.#state === isClosed) return
    if (now < this.#deadline) return this.#wheel.add(this, this.#deadline)
    if (this.#state === isAsked)
      return this.#fail(new TimedOut('get the whole answer', Math.round(this.#deadline - this.sentAt)))
    if (this.#socket === null) return this.#failOpening(new TimedOut('look up the host'))
    this.#failOpening(new TimedOut('open a connection'))
  }

  /** Nobody hears of it any more. */
  close(): void {
    if (this.#state === isClosed) return
    this.#state = isClosed
    this.#count.connections--
    this.#wheel.cancel(this)
    this.#socket?.destroy()
    this.#socket = null
  }

  /** A wait that goes on longer than it has to is looked at again when it ends, which saves one for each request. */
  #waitUntil(deadline: number): void {
    this.#deadline = deadline
    if (this.dueTick === -1) this.#wheel.add(this, deadline)
    else if (this.#wheel.dueOf(this) > deadline + 1) {
      this.#wheel.cancel(this)
      this.#wheel.add(this, deadline)
    }
  }

  #connect(addresses: readonly string[]): void {
    const host = addresses[this.#tried]
    if (host === undefined) return this.#failOpening(new Error('The host has no address.'))
    this.#addresses = addresses
    const now = performance.now()
    this.#connectedAt = now
    // A share for each of those that are left, so that one that never answers does not keep us from the next.
    this.#waitUntil(now + (this.#openBy - now) / (addresses.length - this.#tried))
    this.dial(host)
  }

  /** Opens a socket to an address. */
  protected dial(host: string): void {
    const { origin } = this
    const read = (length: number) => this.#read(length)
    const onread = { buffer: shared, callback: read }
    const options = { host, port: origin.port, noDelay: true, keepAlive: true, onread }
    const socket = origin.isTls ? connectTls({ ...options, ...origin.tlsOptions }) : connectTcp(options)
    this.follow(socket)
    // Not once, which makes two objects more for each.
    socket.on('connect', () => {
      if (!origin.isTls) readFromSocket(socket, read)
      this.connected()
    })
    if (origin.isTls)
      socket.on('secureConnect', () => {
        readFromSocket(socket, read)
        this.encrypted()
      })
  }

  /** Has it written, as fast as can be. */
  protected transmit(socket: Duplex, text: string): void {
    writeToSocket(socket, text)
  }

  /** From now on, this is the socket. */
  protected follow(socket: Duplex): void {
    this.#socket = socket
    const onEnd = (error?: unknown) => {
      if (this.#socket === socket) this.#ended(error)
    }
    socket.on('error', onEnd)
    socket.on('end', onEnd)
    socket.on('close', onEnd)
  }

  protected connected(): void {
    const now = performance.now()
    this.connectMs = now - this.#connectedAt
    this.#connectedAt = now
    if (this.origin.isTls) this.#waitUntil(this.#openBy)
    else this.#opened(now)
  }

  protected encrypted(): void {
    const now = performance.now()
    this.tlsMs = now - this.#connectedAt
    this.#opened(now)
  }

  /** Bytes that are not where those of all connections come. */
  protected received(bytes: Buffer): void {
    for (let at = 0; at < bytes.length; at += shared.length) this.#read(bytes.copy(shared, 0, at))
  }

  #opened(now: number): void {
    if (this.#state !== isOpening) return
    this.#state = isIdle
    this.#user.onOpen(this, now)
  }

  #read(length: number): boolean {
    if (this.#state !== isAsked) {
      // What nobody asked for belongs to no request.
      if (this.#state === isIdle) this.close()
      return true
    }
    const now = performance.now()
    if (this.firstByteAt === 0) this.firstByteAt = now
    const { parser } = this
    try {
      const read = parser.read(shared, length)
      if (!parser.isWhole) return true
      if (read < length) parser.isReusable = false
    } catch (error) {
      this.#fail(error)
      return true
    }
    this.#answered(now)
    return true
  }

  #answered(now: number): void {
    this.isUsed = true
    if (this.parser.isReusable) this.#state = isIdle
    else this.close()
    this.#user.onAnswer(this, now)
  }

  /** The other side ended it, or it broke. */
  #ended(error: unknown): void {
    if (this.#state === isOpening)
      return this.#failOpening(
        error instanceof Error ? error : new Error('The connection was closed at once.'),
      )
    if (this.#state === isIdle) return this.close()
    if (this.#state !== isAsked) return
    if (!(error instanceof Error) && this.parser.end()) return this.#answered(performance.now())
    this.#fail(error instanceof Error ? error : closedEarly())
  }

  #failOpening(error: unknown): void {
    if (this.#state !== isOpening) return
    this.#socket?.destroy()
    this.#socket = null
    if (performance.now() < this.#openBy && ++this.#tried < this.#addresses.length)
      return this.#connect(this.#addresses)
    const { host, port } = this.origin
    const during = this.#connectedAt === 0 ? 'dns' : this.connectMs > 0 ? 'tls' : 'connect'
    const timings = { dnsMs: this.dnsMs, connectMs: this.connectMs, tlsMs: null }
    this.#fail(new ConnectFailed(networkWords(error, `${host}:${port}`), timings, during, error))
  }

  #fail(error: unknown): void {
    if (this.#state === isClosed) return
    this.close()
    this.#user.onFailure(this, error, performance.now())
  }
}

function closedEarly(): Error {
  return Object.assign(
    new Error('The connection was closed by the other side before the answer was complete.'),
    {
      code: 'UND_ERR_SOCKET',
    },
  )
}
