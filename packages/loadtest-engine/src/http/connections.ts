import type { TargetGate } from '../ports.ts'
import { destinationOf, openSocket } from './connect.ts'
import type { ConnectTimings } from './connect-failed.ts'
import { Connection } from './connection.ts'
import type { Proxy } from './proxy.ts'
import type { Transport } from './transport.ts'
import type { Way } from './way.ts'

/** To one origin over HTTP/1.1, as browsers have it. */
const connectionsMax = 6

/** All connections of one user to one origin. */
interface Origin {
  connections: Connection[]
  opening: number
  /** Whoever waits for one to be free. */
  waiting: (() => void)[]
}

/** A connection to send one request on, and how long it took to get it. */
export interface Lease {
  connection: Connection
  /** Null where it was open already. */
  opened: ConnectTimings | null
}

/** The connections of one user, kept open as a browser keeps them. */
export class Connections {
  readonly #origins = new Map<string, Origin>()
  readonly #gate: TargetGate
  readonly #signal: AbortSignal
  readonly #way: Way

  constructor(gate: TargetGate, signal: AbortSignal, way: Way) {
    this.#gate = gate
    this.#signal = signal
    this.#way = way
  }

  /**
   * @throws ConnectFailed
   * @throws ActionFailure where the address of the proxy stands for none
   */
  async lease(url: URL, transport: Transport): Promise<Lease> {
    const proxy = this.#way.proxy()
    const key = `${url.origin} ${JSON.stringify([transport, proxy])}`
    const origin = this.#origins.get(key) ?? { connections: [], opening: 0, waiting: [] }
    this.#origins.set(key, origin)
    for (;;) {
      const free = origin.connections.find(({ active, capacity, isClosed }) => !isClosed && active < capacity)
      if (free !== undefined) {
        free.active++
        return { connection: free, opened: null }
      }
      origin.connections = origin.connections.filter(({ isClosed }) => !isClosed)
      if (origin.connections.length + origin.opening < limitOf(origin, transport))
        return await this.#open(url, transport, proxy, origin)
      await new Promise<void>((resolve) => origin.waiting.push(resolve))
    }
  }

  release(connection: Connection): void {
    connection.active--
    if (!connection.keepsAlive) connection.close()
    for (const origin of this.#origins.values()) if (origin.connections.includes(connection)) wake(origin)
  }

  closeAll(): void {
    for (const origin of this.#origins.values())
      for (const connection of origin.connections) connection.close()
    this.#origins.clear()
  }

  async #open(url: URL, transport: Transport, proxy: Proxy | null, origin: Origin): Promise<Lease> {
    origin.opening++
    try {
      const socket = await openSocket(destinationOf(url), transport, {
        gate: this.#gate,
        signal: this.#signal,
        line: this.#way.line,
        proxy,
        // HTTP/2 is spoken with the server itself.
        needsTunnel: transport.isHttp2,
      })
      const connection = new Connection(url.origin, socket, transport.keepsAlive, () => {
        origin.connections = origin.connections.filter((other) => other !== connection)
        wake(origin)
      })
      connection.active = 1
      origin.connections.push(connection)
      return { connection, opened: socket.timings }
    } finally {
      origin.opening--
      wake(origin)
    }
  }
}

/** One for HTTP/2, unless the server turned out not to speak it. */
function limitOf(origin: Origin, { isHttp2, keepsAlive }: Transport): number {
  return isHttp2 && keepsAlive && origin.connections.every((connection) => connection.isHttp2)
    ? 1
    : connectionsMax
}

function wake(origin: Origin): void {
  const waiting = origin.waiting
  origin.waiting = []
  for (const go of waiting) go()
}
