import { gzipSync } from 'node:zlib'
import type { Exchange } from './exchange.ts'
import { keptExchange } from './kept-exchange.ts'
import { locationOf } from './location.ts'

/**
 * Where the exchanges of a recording are in its bytes, by their places: a JSON object, kept beside them.
 */
export interface RecordingIndex {
  schemaVersion: 1
  exchanges: RecordedExchange[]
}

export interface RecordedExchange {
  /** Of its gzip member, in bytes. */
  offset: number
  length: number
  method: string
  /** Cut to 2,000 characters. */
  url: string
  /** Null where no answer came. */
  status: number | null
  /** Where the answer leads to, cut as `url` is; not there where it is no redirect. */
  location?: string
}

const shownUrlCharacters = 2000

/**
 * Writes a recording: one exchange as JSON per line, each line a gzip member of its own. So the whole is a gzip file, and one
 * exchange can be read alone by its offset and length. Holds no more than one exchange, and the index.
 */
export class RecordingWriter {
  readonly index: RecordingIndex = { schemaVersion: 1, exchanges: [] }
  readonly #write: (bytes: Uint8Array) => void | Promise<void>
  #offset = 0

  /** @param write appends bytes; each call is awaited before the next */
  constructor(write: (bytes: Uint8Array) => void | Promise<void>) {
    this.#write = write
  }

  /** Appends an exchange; gives its place, counted from 0. */
  async keep(exchange: Exchange): Promise<number> {
    // Fast rather than small: a recording is written while somebody waits for its import.
    const member = gzipSync(`${JSON.stringify(keptExchange(exchange))}\n`, { level: 1 })
    const { exchanges } = this.index
    const location = locationOf(exchange)
    exchanges.push({
      offset: this.#offset,
      length: member.length,
      method: exchange.request.method,
      url: exchange.request.url.slice(0, shownUrlCharacters),
      status: exchange.response?.status ?? null,
      ...(location !== null && { location: location.slice(0, shownUrlCharacters) }),
    })
    this.#offset += member.length
    await this.#write(member)
    return exchanges.length - 1
  }
}
