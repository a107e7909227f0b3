import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { monitorEventLoopDelay } from 'node:perf_hooks'

/** One request as the server saw it, in milliseconds of its clock. */
export interface Answered {
  receivedAt: number
  /** When the last byte was given to the system. */
  answeredAt: number
}

/** What the nth request to a path gets, counted from 1. */
export interface Behaviour {
  /** Milliseconds to the answer. */
  latencyMs: (nth: number) => number
  status?: (nth: number) => number
  body?: (nth: number) => string
  /** `cut`: the connection is closed in the middle of the answer; `never`: there is none. */
  failing?: (nth: number) => 'cut' | 'never' | undefined
}

const cutAfterMs = 20

/** A server with latencies and faults that are known, and a log of its own. */
export class TruthfulTarget {
  readonly log = new Map<string, Answered[]>()
  readonly #server = createServer((request, response) => this.#answer(request, response))
  readonly #behaviours: Readonly<Record<string, Behaviour>>
  readonly #delay = monitorEventLoopDelay({ resolution: 1 })
  readonly #stalls: { from: number; to: number }[] = []

  constructor(behaviours: Readonly<Record<string, Behaviour>>) {
    this.#behaviours = behaviours
  }

  async start(): Promise<string> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    this.#delay.enable()
    const address = this.#server.address()
    if (address === null || typeof address === 'string') throw new TypeError('A TCP server has a port')
    return `http://127.0.0.1:${address.port}`
  }

  stop(): void {
    this.#delay.disable()
    this.#server.closeAllConnections()
    this.#server.close()
  }

  of(path: string): readonly Answered[] {
    return this.log.get(path) ?? []
  }

  /** From `from` to `to` nothing is answered: what is due then is answered at its end. */
  stall(from: number, to: number): void {
    this.#stalls.push({ from, to })
  }

  /** How late this process was at most, in milliseconds: what its own times may be off. */
  get lateMsMax(): number {
    return this.#delay.max / 1e6
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const receivedAt = now()
    const path = request.url ?? ''
    const behaviour = this.#behaviours[path]
    if (behaviour === undefined) return void response.writeHead(404).end()
    const log = this.log.get(path) ?? []
    this.log.set(path, log)
    const entry = { receivedAt, answeredAt: NaN }
    const nth = log.push(entry)
    const failing = behaviour.failing?.(nth)
    if (failing === 'never') return
    const dueAt = receivedAt + behaviour.latencyMs(nth)
    const stall = this.#stalls.find(({ from, to }) => dueAt >= from && dueAt < to)
    setTimeout(
      () => {
        const body = behaviour.body?.(nth) ?? 'fine'
        response.writeHead(behaviour.status?.(nth) ?? 200, { 'content-length': body.length })
        if (failing === 'cut') {
          // When some of it has arrived: a connection that ends before that may have been closed while idle, and is opened again.
          response.write(body.slice(0, 1))
          setTimeout(() => response.socket?.destroy(), cutAfterMs)
          return
        }
        entry.answeredAt = now()
        response.end(body)
      },
      (stall?.to ?? dueAt) - receivedAt,
    )
  }
}

/** Milliseconds since 1970, with fractions. */
function now(): number {
  return performance.timeOrigin + performance.now()
}
