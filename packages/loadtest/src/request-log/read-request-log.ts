import { gunzipSync } from 'node:zlib'
import { frameHeaderBytes } from './request-log-writer.ts'
import type { RequestRow } from './request-row.ts'

/** Unpacked: agents make pieces of half a megabyte. */
const pieceBytesMax = 4_000_000

const decoder = new TextDecoder()

/** What is no log of requests. The message says what is wrong with it. */
export class RequestLogError extends Error {}

/** A row with the thread of the agent that had it. */
export interface ReadRequestRow extends RequestRow {
  thread: number
}

/**
 * How many rows a piece has, by the headers of its frames alone.
 * @throws RequestLogError
 */
export function countRequestRows(piece: Uint8Array): number {
  let rows = 0
  for (const frame of framesOf(unpacked(piece))) rows += frame.rows
  return rows
}

/**
 * Reads a piece: what `RequestLogWriter` gave, any number of frames, as gzip.
 * @throws RequestLogError
 */
export function* readRequestLog(piece: Uint8Array): Generator<ReadRequestRow> {
  for (const { thread, rows, content } of framesOf(unpacked(piece))) {
    const reader = new FrameReader(content)
    let endUs = 0
    for (let row = 0; row < rows; row++) {
      endUs += reader.signed()
      yield {
        thread,
        endUs,
        responseUs: reader.whole(),
        serviceUs: reader.whole() - 1,
        connectUs: reader.whole(),
        downloadUs: reader.whole() - 1,
        sentBytes: reader.whole(),
        receivedBytes: reader.whole(),
        status: reader.whole(),
        action: reader.whole(),
        user: reader.whole() - 1,
        iteration: reader.whole() - 1,
        profileUsers: reader.whole(),
        allUsers: reader.whole(),
        errorClass: reader.text(),
        failure: reader.text(),
        url: reader.text(),
      }
    }
    reader.end()
  }
}

function unpacked(piece: Uint8Array): Uint8Array {
  try {
    return gunzipSync(piece, { maxOutputLength: pieceBytesMax })
  } catch (cause) {
    throw new RequestLogError(`It is no gzip, or larger than ${pieceBytesMax} bytes when unpacked.`, {
      cause,
    })
  }
}

function* framesOf(bytes: Uint8Array): Generator<{ thread: number; rows: number; content: Uint8Array }> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = 0
  while (at < bytes.length) {
    if (at + frameHeaderBytes > bytes.length) throw new RequestLogError('A frame is cut off.')
    const end = at + 4 + view.getUint32(at)
    if (end > bytes.length || end < at + frameHeaderBytes) throw new RequestLogError('A frame is cut off.')
    yield {
      thread: view.getUint32(at + 4),
      rows: view.getUint32(at + 8),
      content: bytes.subarray(at + frameHeaderBytes, end),
    }
    at = end
  }
}

class FrameReader {
  readonly #bytes: Uint8Array
  readonly #texts: string[] = []
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  whole(): number {
    let value = 0
    for (let factor = 1; ; factor *= 128) {
      const byte = this.#bytes[this.#at++]
      if (byte === undefined || factor > Number.MAX_SAFE_INTEGER)
        throw new RequestLogError('A row is cut off.')
      value += (byte % 128) * factor
      if (byte < 128) return value
    }
  }

  signed(): number {
    const value = this.whole()
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2
  }

  text(): string {
    const place = this.whole()
    if (place === 0) return ''
    if (place > 1) {
      const known = this.#texts[place - 2]
      if (known === undefined) throw new RequestLogError('A row names a text that is not there.')
      return known
    }
    const end = this.whole() + this.#at
    if (end > this.#bytes.length) throw new RequestLogError('A text is cut off.')
    const text = decoder.decode(this.#bytes.subarray(this.#at, end))
    this.#at = end
    this.#texts.push(text)
    return text
  }

  end(): void {
    if (this.#at !== this.#bytes.length) throw new RequestLogError('A frame is longer than its rows.')
  }
}
