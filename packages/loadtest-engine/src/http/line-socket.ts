import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import type { Lane, Line } from './line.ts'

/** Bytes that are further behind on the line than this are left with the system, which makes the other side wait. */
const aheadMsMax = 50

/**
 * A connection over the line of a user: what goes into it and what comes out of it takes the time that the line needs, and half of a
 * round trip on the way. Like a socket, it emits `connect`, after a whole one. Encryption belongs above it, because it is encrypted bytes that go over a line.
 */
export class LineSocket extends Duplex {
  readonly #inner: Socket
  readonly #line: Line
  readonly #agenda = new Agenda()
  readonly #onWayMs: number
  #lastArrivalAt = 0
  #lastLeavingAt = 0
  /** Whoever reads has enough for now. */
  #isFull = false
  #isAhead = false

  constructor(inner: Socket, line: Line) {
    super({ allowHalfOpen: false })
    this.#inner = inner
    this.#line = line
    this.#onWayMs = line.roundTripMs / 2
    inner.once('connect', () =>
      this.#agenda.add(performance.now() + line.roundTripMs, () => this.emit('connect')),
    )
    inner.on('data', (bytes: Buffer) => this.#arrive(bytes))
    inner.once('end', () => this.#onArrival(performance.now(), () => this.push(null)))
    inner.on('error', (error) => this.#onArrival(performance.now(), () => this.destroy(error)))
  }

  override _read(): void {
    this.#isFull = false
    this.#goOn()
  }

  override _write(bytes: Buffer, _encoding: BufferEncoding, done: () => void): void {
    const { up } = this.#line
    const now = performance.now()
    let overAt = now
    for (const piece of pieces(bytes, up)) {
      overAt = up.take(piece.length, now)
      this.#onLeaving(overAt, () => this.#inner.write(piece))
    }
    this.#agenda.add(overAt, done)
  }

  override _final(done: () => void): void {
    this.#onLeaving(performance.now(), () => {
      this.#inner.end()
      done()
    })
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#agenda.clear()
    this.#inner.destroy()
    done(error)
  }

  #arrive(bytes: Buffer): void {
    const { down } = this.#line
    const now = performance.now()
    for (const piece of pieces(bytes, down))
      this.#onArrival(down.take(piece.length, now), () => {
        if (this.push(piece)) return
        this.#isFull = true
        this.#inner.pause()
      })
    const aheadMs = down.busyMs(now) - aheadMsMax
    if (aheadMs <= 0 || this.#isAhead) return
    this.#isAhead = true
    this.#inner.pause()
    this.#agenda.add(now + aheadMs, () => {
      this.#isAhead = false
      this.#goOn()
    })
  }

  #goOn(): void {
    if (!this.#isFull && !this.#isAhead) this.#inner.resume()
  }

  /** `overAt`: when the line has taken it over. Nothing overtakes what came before it. */
  #onArrival(overAt: number, act: () => void): void {
    this.#lastArrivalAt = Math.max(this.#lastArrivalAt, overAt + this.#onWayMs)
    this.#agenda.add(this.#lastArrivalAt, act)
  }

  #onLeaving(overAt: number, act: () => void): void {
    this.#lastLeavingAt = Math.max(this.#lastLeavingAt, overAt + this.#onWayMs)
    this.#agenda.add(this.#lastLeavingAt, act)
  }
}

/** Does what it is given when it is due, in the order of the moments, with one timer. */
class Agenda {
  readonly #entries: { at: number; act: () => void }[] = []
  #timer: NodeJS.Timeout | undefined

  /** At once where it is due already and nothing is before it. */
  add(at: number, act: () => void): void {
    let place = this.#entries.length
    while (place > 0 && (this.#entries[place - 1]?.at ?? 0) > at) place--
    if (place === 0 && at <= performance.now()) return act()
    this.#entries.splice(place, 0, { at, act })
    if (place === 0) this.#wait()
  }

  clear(): void {
    clearTimeout(this.#timer)
    this.#entries.length = 0
  }

  #wait(): void {
    clearTimeout(this.#timer)
    const [first] = this.#entries
    if (first !== undefined)
      this.#timer = setTimeout(() => this.#run(), Math.max(0, Math.ceil(first.at - performance.now())))
  }

  #run(): void {
    const now = performance.now()
    // What one of them adds has its place behind those that are due.
    while ((this.#entries[0]?.at ?? Infinity) <= now) this.#entries.shift()?.act()
    this.#wait()
  }
}

function* pieces(bytes: Buffer, { pieceBytes }: Lane): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes)
}
