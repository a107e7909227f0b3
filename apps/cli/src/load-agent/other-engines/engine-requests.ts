import { type RequestRow, RequestLogWriter } from '@flamegate/loadtest/request-log'
import { withoutSecrets, type ResultSample } from '@flamegate/loadtest/results'

/** So many bytes of rows are told at once. */
const frameBytesMax = 250_000
/** While the platform cannot be told what actions there are; seconds of the fastest engine. */
const waitingMax = 200_000

/** Where rows of requests go. */
export interface RequestRows {
  /** As `RequestLogWriter` gave them. */
  add: (frame: Uint8Array, rows: number) => void
  /** For which there was no room. */
  lose: (rows: number) => void
}

/** Every request that an engine tells of, as a row of the files of the run. */
export class EngineRequests {
  /** Milliseconds since 1970. */
  readonly #startAt: number
  readonly #writer: RequestLogWriter
  readonly #rows: RequestRows
  readonly #users = new Map<string, number>()
  /** Actions are those that the engine found, which the platform may not know yet. */
  #waiting: RequestRow[] = []

  /** @param thread No other part of the agent has its number */
  constructor(startAt: number, thread: number, rows: RequestRows) {
    this.#startAt = startAt
    this.#writer = new RequestLogWriter(thread)
    this.#rows = rows
  }

  /** `users`: at that moment. */
  add(action: number, sample: ResultSample, users: number): void {
    if (sample.type === 'container') return
    if (this.#waiting.length === waitingMax) return this.#rows.lose(1)
    const { failure, status, url = '' } = sample
    const responseUs = microseconds(sample.elapsedMs)
    this.#waiting.push({
      endUs: microseconds(sample.endMs - this.#startAt),
      responseUs,
      // Engines tell of one time only.
      serviceUs: failure !== null && status === 0 ? -1 : responseUs,
      connectUs: microseconds(sample.dnsMs + sample.connectMs + sample.tlsMs),
      // What was measured waited for its first byte.
      downloadUs: sample.waitMs > 0 ? microseconds(sample.downloadMs) : -1,
      sentBytes: sample.sentBytes,
      receivedBytes: sample.receivedBytes,
      status,
      action,
      user: this.#numberOf(sample.user),
      iteration: sample.iteration ?? -1,
      profileUsers: users,
      allUsers: users,
      errorClass: failure?.class ?? '',
      failure: failure === null ? '' : withoutSecrets(failure.message),
      url: withoutSecrets(url),
    })
  }

  /** Tells all rows so far. */
  tell(placeOf: (action: number) => number): void {
    for (const row of this.#waiting) {
      this.#writer.add({ ...row, action: placeOf(row.action) })
      if (this.#writer.byteLength > frameBytesMax) this.#tellFrame()
    }
    this.#waiting = []
    this.#tellFrame()
  }

  #tellFrame(): void {
    const { rows } = this.#writer
    const frame = this.#writer.take()
    if (frame !== undefined) this.#rows.add(frame, rows)
  }

  /** Users are numbered as they come, whatever the engine calls them. */
  #numberOf(user: string | undefined): number {
    if (user === undefined || user === '') return -1
    let number = this.#users.get(user)
    if (number === undefined) this.#users.set(user, (number = this.#users.size))
    return number
  }
}

/** Whole ones; clocks of two programs may be a little apart. */
function microseconds(ms: number): number {
  return Math.max(0, Math.round(ms * 1000))
}
