import { FormatError } from '../format-error.ts'

const latin1 = new TextDecoder('latin1')
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })
const utf16 = new TextDecoder('utf-16le', { ignoreBOM: true })

/** How a string is written: its first byte. */
const encodingNull = 0
const encodingEmpty = 1
/** The id of a string in the pool of strings. */
const encodingPooled = 2
const encodingUtf8 = 3
/** UTF-16 code units, each a compressed integer. */
const encodingChars = 4
const encodingLatin1 = 5

/**
 * Reads the values of a recording one after the other: integers of any width compressed as below, fractions and bytes
 * raw and big-endian. Reading beyond `end` is a FormatError that names the byte.
 *
 *     0xxxxxxx                      7 bits, the lowest first,
 *     1xxxxxxx 0xxxxxxx             14 bits, ...
 *     1xxxxxxx (8 times) xxxxxxxx   64 bits: a ninth byte is whole
 *
 * Positions are below 2^31, as files are. Loops that run over all of a recording say so (`| 0`): if the engine takes them for
 * fractions, they run half as fast.
 */
export class JfrCursor {
  readonly bytes: Uint8Array
  position: number
  end: number
  /** The 64 bits of the integer read last, as two int32. */
  low = 0
  high = 0

  constructor(bytes: Uint8Array, position = 0, end = bytes.length) {
    this.bytes = bytes
    this.position = position
    this.end = end
  }

  fail(message: string, position = this.position): never {
    throw new FormatError(message, { format: 'jfr', where: `byte ${position}` })
  }

  /** Leaves the integer in `low` and `high`. What is beyond the bytes reads as 0, and then is beyond the end, too. */
  readInteger(): void {
    const { bytes } = this
    let position = this.position | 0
    let byte = bytes[position++]!
    let low = byte & 127
    for (let shift = 7; byte >= 128 && shift < 28; shift += 7) {
      byte = bytes[position++]!
      low |= (byte & 127) << shift
    }
    this.low = low
    this.high = 0
    if (byte >= 128) position = this.readHighBits(position)
    if (position > this.end) this.fail('a value goes beyond its place')
    this.position = position
  }

  /** Those beyond the 28 bits of four bytes; apart, because most integers have none. Gives the position after them. */
  private readHighBits(start: number): number {
    const { bytes } = this
    let position = start
    let byte = bytes[position++]!
    let high = (byte & 127) >>> 4
    this.low |= byte << 28
    for (let shift = 3; byte >= 128 && shift <= 24; shift += 7) {
      byte = bytes[position++]!
      high |= (shift === 24 ? byte : byte & 127) << shift
    }
    this.high = high
    return position
  }

  /** Reads that many integers into two columns, as `readInteger` leaves them, from their first entries on. */
  readIntegers(count: number, lows: Int32Array, highs: Int32Array): void {
    for (let index = 0; index < count; index++) {
      this.readInteger()
      lows[index] = this.low
      highs[index] = this.high
    }
  }

  /** An int64 as a double, exact within 2^53. */
  readLong(): number {
    this.readInteger()
    // Small ones stay small integers for the engine, and so do the positions that are made of them.
    return this.high === 0 && this.low >= 0 ? this.low : this.high * 2 ** 32 + (this.low >>> 0)
  }

  /** How many entries follow, each of them at least that many bytes long; FormatError when they cannot. */
  readCount(bytesEach = 1): number {
    const start = this.position
    const count = this.readLong()
    if (count < 0 || count * bytesEach > this.end - this.position)
      this.fail(`${count} entries are announced, which are more than the bytes that are left`, start)
    return count
  }

  readByte(): number {
    if (this.position >= this.end) this.fail('a value goes beyond its place')
    return this.bytes[this.position++]!
  }

  skipBytes(count: number): void {
    if (count > this.end - this.position) this.fail('a value goes beyond its place')
    this.position += count
  }

  skipIntegers(count: number): void {
    const { bytes } = this
    const end = this.end | 0
    let position = this.position | 0
    // One branch per byte that nearly always goes the same way: how long integers are cannot be foreseen.
    let left = count | 0
    let size = 0
    while (left > 0 && position <= end) {
      const goesOn = bytes[position++]! >>> 7
      left -= 1 - goesOn
      size = (size + 1) * goesOn
      if (size < 8) continue
      position++
      left--
      size = 0
    }
    if (position > end) this.fail('a value goes beyond its place')
    this.position = position
  }

  /** The text, undefined for null; of a pooled string, what `pooled` gives for its id, which is in `low` and `high`. */
  readString(pooled: () => string | undefined): string | undefined {
    const start = this.position
    const encoding = this.readByte()
    if (encoding === encodingNull) return undefined
    if (encoding === encodingEmpty) return ''
    if (encoding === encodingPooled) {
      this.readInteger()
      return pooled()
    }
    if (encoding === encodingChars) return this.readChars()
    if (encoding !== encodingUtf8 && encoding !== encodingLatin1) this.failOnEncoding(encoding, start)
    const size = this.readCount()
    const text = this.bytes.subarray(this.position, this.position + size)
    this.position += size
    return (encoding === encodingUtf8 ? utf8 : latin1).decode(text)
  }

  skipString(): void {
    const start = this.position
    const encoding = this.readByte()
    if (encoding === encodingPooled) this.skipIntegers(1)
    else if (encoding === encodingChars) this.skipIntegers(this.readCount())
    else if (encoding === encodingUtf8 || encoding === encodingLatin1) this.skipBytes(this.readCount())
    else if (encoding !== encodingNull && encoding !== encodingEmpty) this.failOnEncoding(encoding, start)
  }

  private readChars(): string {
    const units = new Uint16Array(this.readCount())
    for (let index = 0; index < units.length; index++) {
      this.readInteger()
      units[index] = this.low
    }
    return utf16.decode(units)
  }

  private failOnEncoding(encoding: number, position: number): never {
    this.fail(`there is no encoding ${encoding} of strings`, position)
  }
}
