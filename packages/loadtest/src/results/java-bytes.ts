/** Longest text, in bytes. A longer one is no text: who wrote the length wrote something else. */
const textBytesMax = 65_536

/** Thrown when what is read goes on behind the bytes that are there. */
export class OutOfBytes extends Error {}

/** Thrown when bytes are not what they are taken for. */
export class BadBytes extends Error {}

const latin1 = new TextDecoder('latin1')
const utf16 = new TextDecoder('utf-16le')

/** Reads values one after the other, as a program in Java puts them into a ByteBuffer. */
export class JavaBytes {
  readonly #bytes: Buffer
  /** Where the next value begins. */
  at: number

  constructor(bytes: Buffer, at: number) {
    this.#bytes = bytes
    this.at = at
  }

  byte(): number {
    return this.#bytes.readUInt8(this.#pass(1))
  }

  boolean(): boolean {
    const value = this.byte()
    if (value > 1) throw new BadBytes(`${value} is neither true nor false`)
    return value === 1
  }

  int(): number {
    return this.#bytes.readInt32BE(this.#pass(4))
  }

  long(): bigint {
    return this.#bytes.readBigInt64BE(this.#pass(8))
  }

  /** How many there are of something. */
  count(most: number): number {
    const value = this.int()
    if (value < 0 || value > most) throw new BadBytes(`${value} is no count from 0 to ${most}`)
    return value
  }

  /** Bytes behind their length. */
  skipBytes(): void {
    this.#pass(this.count(textBytesMax))
  }

  /**
   * A string as a JVM has it in memory: length in bytes, bytes, and how they are coded, which an empty one leaves out. Two bytes are
   * in the order of the machine, which is the small end first wherever load is made.
   */
  text(): string {
    const length = this.count(textBytesMax)
    if (length === 0) return ''
    const start = this.#pass(length)
    const coder = this.byte()
    if (coder > 1 || (coder === 1 && length % 2 === 1))
      throw new BadBytes(`a text of ${length} bytes has the coding ${coder}`)
    return (coder === 0 ? latin1 : utf16).decode(this.#bytes.subarray(start, start + length))
  }

  /** Where it was before. */
  #pass(length: number): number {
    const start = this.at
    if (start + length > this.#bytes.length) throw new OutOfBytes()
    this.at += length
    return start
  }
}
