/** Bytes that are no batch of ticks, or no chunk of a series: what was wrong, and at which byte if that is known. */
export class SeriesFormatError extends Error {
  override name = 'SeriesFormatError'
}

/** Numbers as LEB128: seven bits a byte, the lowest first, and the eighth bit says that another byte follows. */
export class ByteWriter {
  #bytes = new Uint8Array(1 << 12)
  length = 0

  byte(value: number): void {
    if (this.length === this.#bytes.length) this.#grow(1)
    this.#bytes[this.length++] = value
  }

  /** A whole number from 0 to 2^53 - 1. */
  varint(value: number): void {
    if (this.length + 8 > this.#bytes.length) this.#grow(8)
    let rest = value
    while (rest >= 2 ** 31) {
      this.#bytes[this.length++] = (rest % 128) | 128
      rest = Math.floor(rest / 128)
    }
    // From here on bits suffice, which are faster.
    while (rest > 127) {
      this.#bytes[this.length++] = (rest & 127) | 128
      rest >>>= 7
    }
    this.#bytes[this.length++] = rest
  }

  bytes(bytes: Uint8Array): void {
    if (this.length + bytes.length > this.#bytes.length) this.#grow(bytes.length)
    this.#bytes.set(bytes, this.length)
    this.length += bytes.length
  }

  /** What was written, until something else is. */
  view(): Uint8Array {
    return this.#bytes.subarray(0, this.length)
  }

  /** Begins anew, in the same memory. */
  clear(): void {
    this.length = 0
  }

  #grow(more: number): void {
    const grown = new Uint8Array(Math.max(2 * this.#bytes.length, this.length + more))
    grown.set(this.#bytes.subarray(0, this.length))
    this.#bytes = grown
  }
}

/** Reads what a `ByteWriter` wrote. Every method throws SeriesFormatError where the bytes end too early. */
export class ByteReader {
  readonly #bytes: Uint8Array
  at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  get isAtEnd(): boolean {
    return this.at >= this.#bytes.length
  }

  /** How many bytes there still are. */
  get left(): number {
    return this.#bytes.length - this.at
  }

  byte(): number {
    const byte = this.#bytes[this.at++]
    if (byte === undefined) throw this.error('the bytes end too early')
    return byte
  }

  varint(): number {
    const first = this.#bytes[this.at++]
    if (first === undefined) throw this.error('the bytes end too early')
    return first < 128 ? first : this.#longVarint(first & 127)
  }

  /** The same, and an error when it is more than that. */
  varintUpTo(max: number, what: string): number {
    const value = this.varint()
    if (value > max) throw this.error(`${what} is ${value}, and at most ${max}`)
    return value
  }

  bytes(length: number): Uint8Array {
    this.skip(length)
    return this.#bytes.subarray(this.at - length, this.at)
  }

  /** The same for bytes that nobody looks at. */
  skip(length: number): void {
    if (length > this.left) throw this.error('the bytes end too early')
    this.at += length
  }

  error(what: string): SeriesFormatError {
    return new SeriesFormatError(`At byte ${Math.min(this.at, this.#bytes.length)}: ${what}.`)
  }

  #longVarint(lowest: number): number {
    let value = lowest
    // As many as bits suffice for, which are faster.
    for (let shift = 7; shift < 28; shift += 7) {
      const byte = this.#bytes[this.at++]
      if (byte === undefined) throw this.error('the bytes end too early')
      value |= (byte & 127) << shift
      if (byte < 128) return value
    }
    for (let scale = 2 ** 28; scale <= 2 ** 49; scale *= 128) {
      const byte = this.#bytes[this.at++]
      if (byte === undefined) throw this.error('the bytes end too early')
      value += (byte & 127) * scale
      if (byte < 128) {
        if (value > Number.MAX_SAFE_INTEGER) break
        return value
      }
    }
    throw this.error('a number is larger than 2^53 - 1')
  }
}
