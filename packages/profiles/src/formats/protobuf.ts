import { FormatError } from '../format-error.ts'
import type { ProfileFormat } from '../profile.ts'

export const wireVarint = 0
export const wireFixed64 = 1
export const wireBytes = 2
export const wireFixed32 = 5

/**
 * Reads the protocol buffer wire format within bounds: https://protobuf.dev/programming-guides/encoding/
 * Every refusal is a FormatError with the byte offset.
 */
export class ProtobufCursor {
  readonly bytes: Uint8Array
  readonly format: ProfileFormat
  position: number
  end: number
  /** Where in the file the bytes begin. */
  readonly offset: number
  /** The 64 bits of the last varint, as two unsigned halves. */
  private low = 0
  private high = 0

  constructor(bytes: Uint8Array, format: ProfileFormat, position = 0, end = bytes.length, offset = 0) {
    this.bytes = bytes
    this.format = format
    this.position = position
    this.end = end
    this.offset = offset
  }

  fail(message: string, position = this.position): never {
    throw new FormatError(message, { format: this.format, where: `byte ${this.offset + position}` })
  }

  /** Field number times 8 plus wire type. */
  readTag(): number {
    const start = this.position
    const first = this.bytes[start]!
    if (first >= 8 && first < 128 && start < this.end) {
      this.position = start + 1
      return first
    }
    this.readVarint()
    if (this.high !== 0 || this.low < 8) this.fail('no such field', start)
    return this.low
  }

  /** A uint64 as a double, exact below 2^53. */
  readUint(): number {
    this.readVarint()
    return this.high * 2 ** 32 + this.low
  }

  /** An int64 as a double, exact within 2^53. Negative ones are the ten-byte form. */
  readInt(): number {
    this.readVarint()
    return (this.high | 0) * 2 ** 32 + this.low
  }

  /** A fixed64 as a double, exact below 2^53. */
  readFixed64(): number {
    const start = this.position
    if (start + 8 > this.end) this.fail('the file is cut off', this.end)
    this.position = start + 8
    return this.fixed32At(start + 4) * 2 ** 32 + this.fixed32At(start)
  }

  /** A uint64 that is only compared: exact, so a bigint from 2^53. */
  readId(): number | bigint {
    this.readVarint()
    if (this.high < 2 ** 21) return this.high * 2 ** 32 + this.low
    return (BigInt(this.high) << 32n) | BigInt(this.low)
  }

  /** Reads a length and gives the position where what it counts ends. */
  readLength(): number {
    const start = this.position
    const length = this.readUint()
    const end = this.position + length
    if (end > this.end)
      this.fail(`the file is cut off: ${length} bytes announced, ${this.end - this.position} left`, start)
    return end
  }

  skip(tag: number): void {
    const wireType = tag & 7
    if (wireType === wireVarint) this.readVarint()
    else if (wireType === wireBytes) this.position = this.readLength()
    else if (wireType === wireFixed64 || wireType === wireFixed32) {
      this.position += wireType === wireFixed64 ? 8 : 4
      if (this.position > this.end) this.fail('the file is cut off', this.end)
    } else this.fail(`no such wire type ${wireType}`)
  }

  private fixed32At(index: number): number {
    const { bytes } = this
    const upper = (bytes[index + 3]! << 24) | (bytes[index + 2]! << 16)
    return (upper | (bytes[index + 1]! << 8) | bytes[index]!) >>> 0
  }

  private readVarint(): void {
    const { bytes, end } = this
    const start = this.position
    if (start < end && bytes[start]! < 128) {
      this.position = start + 1
      this.low = bytes[start]!
      this.high = 0
      return
    }
    let position = start
    let low = 0
    let high = 0
    for (let shift = 0; ; shift += 7) {
      if (position >= end) this.fail('the file is cut off within a number', start)
      if (shift === 70) this.fail('a number is longer than ten bytes', start)
      const byte = bytes[position++]!
      const bits = byte & 127
      if (shift < 28) low |= bits << shift
      else if (shift === 28) {
        low |= bits << 28
        high = bits >>> 4
      } else high |= bits << (shift - 32)
      if (byte < 128) break
    }
    this.position = position
    this.low = low >>> 0
    this.high = high >>> 0
  }
}

/** Where a field of bytes ends that has a tag of one byte and a length of one or two; -1 when it is not so, or not there. */
export function endOfShortField(bytes: Uint8Array, start: number, end: number): number {
  if (start + 3 > end) return -1
  const first = bytes[start + 1]!
  if (first < 128) return start + 2 + first
  const second = bytes[start + 2]!
  return second < 128 ? start + 3 + (first & 127) + 128 * second : -1
}
