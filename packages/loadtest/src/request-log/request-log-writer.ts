import type { RequestRow } from './request-row.ts'

/** Where the header of a frame has its length without these four bytes, its thread, and how many rows follow. */
export const frameHeaderBytes = 12
const textCharactersMax = 2000
/** Texts that a frame tells apart; what comes after is written again each time. */
const textsMax = 10_000

const encoder = new TextEncoder()

/**
 * Packs rows, one after the other: whole numbers of variable length, moments as the difference to the row before, and
 * each text once.
 */
export class RequestLogWriter {
  readonly #thread: number
  #bytes = new Uint8Array(16_384)
  #at = frameHeaderBytes
  #rows = 0
  #lastUs = 0
  #texts = new Map<string, number>()

  /** `thread`: number of the thread of the agent, from 0. */
  constructor(thread: number) {
    this.#thread = thread
  }

  get rows(): number {
    return this.#rows
  }

  get byteLength(): number {
    return this.#at
  }

  add(row: RequestRow): void {
    this.#ensure(160)
    this.#rows++
    // Rows of several users may come a little out of order.
    this.#signed(row.endUs - this.#lastUs)
    this.#lastUs = row.endUs
    this.#whole(row.responseUs)
    this.#whole(row.serviceUs + 1)
    this.#whole(row.connectUs)
    this.#whole(row.downloadUs + 1)
    this.#whole(row.sentBytes)
    this.#whole(row.receivedBytes)
    this.#whole(row.status)
    this.#whole(row.action)
    this.#whole(row.user + 1)
    this.#whole(row.iteration + 1)
    this.#whole(row.profileUsers)
    this.#whole(row.allUsers)
    this.#text(row.errorClass)
    this.#text(row.failure)
    this.#text(row.url)
  }

  /** All rows since the last time, as a frame that can be read by itself; undefined when there are none. */
  take(): Uint8Array<ArrayBuffer> | undefined {
    if (this.#rows === 0) return undefined
    const frame = this.#bytes.slice(0, this.#at)
    const header = new DataView(frame.buffer)
    header.setUint32(0, frame.length - 4)
    header.setUint32(4, this.#thread)
    header.setUint32(8, this.#rows)
    this.#at = frameHeaderBytes
    this.#rows = 0
    this.#lastUs = 0
    this.#texts = new Map()
    return frame
  }

  /** 0: an empty one; 1: one that follows with its length; otherwise one that was there before. */
  #text(text: string): void {
    if (text === '') return this.#whole(0)
    const known = this.#texts.get(text)
    if (known !== undefined) return this.#whole(known + 2)
    if (this.#texts.size < textsMax) this.#texts.set(text, this.#texts.size)
    const bytes = encoder.encode(text.slice(0, textCharactersMax))
    this.#ensure(bytes.length + 160)
    this.#whole(1)
    this.#whole(bytes.length)
    this.#bytes.set(bytes, this.#at)
    this.#at += bytes.length
  }

  #signed(value: number): void {
    this.#whole(value >= 0 ? value * 2 : -value * 2 - 1)
  }

  /** Seven bits of each byte; not by shifts, for they end at 32 bits. */
  #whole(value: number): void {
    let rest = value > 0 ? Math.round(value) : 0
    while (rest >= 128) {
      this.#bytes[this.#at++] = (rest % 128) + 128
      rest = Math.floor(rest / 128)
    }
    this.#bytes[this.#at++] = rest
  }

  #ensure(bytes: number): void {
    if (this.#at + bytes <= this.#bytes.length) return
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#at + bytes))
    larger.set(this.#bytes)
    this.#bytes = larger
  }
}
