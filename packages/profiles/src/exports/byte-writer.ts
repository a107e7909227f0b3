import { limits } from '../limits.ts'
import { ExportTooLarge } from './export-too-large.ts'

const encoder = new TextEncoder()
const sizeAtFirst = 64 * 1024
/** Of a string, UTF-8 takes at most so many bytes per UTF-16 unit. */
const bytesPerUnit = 3

/** Bytes that are written one after the other: text as UTF-8, and numbers as protocol buffers have them. */
export class ByteWriter {
  private bytes = new Uint8Array(sizeAtFirst)
  private length = 0

  text(text: string): this {
    this.makeRoom(text.length * bytesPerUnit)
    this.length += encoder.encodeInto(text, this.bytes.subarray(this.length)).written
    return this
  }

  append(bytes: Uint8Array): this {
    this.makeRoom(bytes.length)
    this.bytes.set(bytes, this.length)
    this.length += bytes.length
    return this
  }

  /** An int64 as a varint. Integers below 0 take ten bytes. */
  varint(value: number): this {
    this.makeRoom(10)
    if (value < 0) return this.bigVarint(BigInt.asUintN(64, BigInt(value)))
    let rest = value
    // To divide a double by a power of two is exact, however large it is.
    for (; rest > 127; rest = Math.floor(rest / 128)) this.bytes[this.length++] = (rest % 128) | 128
    this.bytes[this.length++] = rest
    return this
  }

  /** What was written, without a copy; nothing may be written after. */
  finish(): Uint8Array {
    return this.bytes.subarray(0, this.length)
  }

  /** Begins anew in the same memory. What `finish` gave is overwritten. */
  clear(): void {
    this.length = 0
  }

  private bigVarint(value: bigint): this {
    let rest = value
    for (; rest > 127n; rest >>= 7n) this.bytes[this.length++] = Number(rest & 127n) | 128
    this.bytes[this.length++] = Number(rest)
    return this
  }

  private makeRoom(count: number): void {
    const needed = this.length + count
    if (needed <= this.bytes.length) return
    if (needed > limits.decompressedBytes) {
      throw new ExportTooLarge(`the file would be larger than ${limits.decompressedBytes} bytes`)
    }
    const bytes = new Uint8Array(Math.min(Math.max(needed, this.bytes.length * 2), limits.decompressedBytes))
    bytes.set(this.bytes.subarray(0, this.length))
    this.bytes = bytes
  }
}
