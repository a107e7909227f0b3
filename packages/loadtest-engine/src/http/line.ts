import type { Access } from './access.ts'

/** What arrives at once, in milliseconds of a lane's time: less makes work, more makes first bytes late. */
const pieceMs = 20
/** About that of a packet. */
const pieceBytesMin = 1400

/**
 * One direction of a line: bytes go over it one after the other, as a token bucket without a reserve lets them. Moments in
 * milliseconds, of any clock.
 */
export class Lane {
  readonly #bytesPerMs: number
  #freeAt = -Infinity

  /** Null: they take no time. */
  constructor(bitsPerSecond: number | null) {
    this.#bytesPerMs = bitsPerSecond === null ? Infinity : bitsPerSecond / 8000
  }

  /** How many bytes are taken over it as one. */
  get pieceBytes(): number {
    return Math.max(pieceBytesMin, Math.floor(this.#bytesPerMs * pieceMs))
  }

  /** Puts bytes behind those that are on it, and gives the moment at which the last of them is over. */
  take(bytes: number, now: number): number {
    this.#freeAt = Math.max(this.#freeAt, now) + bytes / this.#bytesPerMs
    return this.#freeAt
  }

  /** For how long it is taken. */
  busyMs(now: number): number {
    return Math.max(0, this.#freeAt - now)
  }
}

/** What one user is connected to the network by. All of its connections share it. */
export class Line {
  readonly down: Lane
  readonly up: Lane
  /** There and back. */
  readonly roundTripMs: number

  constructor(network: Access['network']) {
    this.down = new Lane(network.download_bits_per_second)
    this.up = new Lane(network.upload_bits_per_second)
    this.roundTripMs = network.latency_ms
  }
}

/** Whether anything holds bytes up. */
export function hasLimits({
  download_bits_per_second: down,
  upload_bits_per_second: up,
  latency_ms: latencyMs,
}: Access['network']): boolean {
  return down !== null || up !== null || latencyMs > 0
}
