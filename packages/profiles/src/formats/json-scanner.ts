import { FormatError } from '../format-error.ts'
import type { ProfileFormat } from '../profile.ts'

const tab = 0x09
const carriageReturn = 0x0d
const space = 0x20
const doubleQuote = 0x22
const comma = 0x2c
const zero = 0x30
const nine = 0x39
const colon = 0x3a
const openBracket = 0x5b
const backslash = 0x5c
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d
const smallBytes = 1024 * 1024
const pieceBytes = 1024 * 1024

/**
 * Goes once through JSON that is too long to become objects, and reads of it what is asked for: long lists of numbers or
 * strings without a list of JavaScript, small values as they are. Every refusal names the byte.
 */
export class JsonScanner {
  private readonly bytes: Uint8Array
  private readonly format: ProfileFormat
  private position = 0

  constructor(bytes: Uint8Array, format: ProfileFormat) {
    this.bytes = bytes
    this.format = format
    if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) this.position = 3
  }

  fail(message: string): never {
    if (this.position >= this.bytes.length) throw this.error('the file is cut off')
    throw this.error(message)
  }

  /** Calls for every key of the object that comes now; the value has to be read, or skipped, each time. */
  readObject(onKey: (key: string) => void): void {
    this.expect(openBrace)
    if (this.skipIf(closeBrace)) return
    for (;;) {
      const key = this.readSmall()
      if (typeof key !== 'string') this.fail('expected a key')
      this.expect(colon)
      onKey(key)
      if (this.skipIf(comma)) continue
      this.expect(closeBrace)
      return
    }
  }

  /** Only white space may follow. */
  finish(): void {
    this.skipSpace()
    if (this.position < this.bytes.length) this.fail('the JSON ends before the file')
  }

  /** The value that comes now, which has to be small. */
  readSmall(): unknown {
    this.skipSpace()
    const start = this.position
    this.skip()
    if (this.position - start > smallBytes) this.fail(`a value is longer than ${smallBytes} bytes`)
    return this.parse(start, '', '')
  }

  /**
   * A list of whole numbers, zero or more, by rows of `width`; gives the number of rows. `row` is another each time only
   * in what it holds.
   */
  readRows(width: number, onRow: (row: Float64Array, index: number) => void): number {
    const { bytes } = this
    const row = new Float64Array(width)
    let filled = 0
    let rowCount = 0
    this.expect(openBracket)
    let { position } = this
    for (;;) {
      let byte = bytes[position]
      while (byte === comma || isSpace(byte)) byte = bytes[++position]
      if (byte === closeBracket) break
      this.position = position
      if (!isDigit(byte)) this.fail('expected a whole number')
      let value = 0
      while (isDigit(byte)) {
        value = value * 10 + (byte - zero)
        byte = bytes[++position]
      }
      if (byte === undefined) {
        this.position = position
        this.fail('expected more numbers')
      }
      if (value > Number.MAX_SAFE_INTEGER) this.fail('a number is too large')
      row[filled++] = value
      if (filled === width) {
        onRow(row, rowCount++)
        filled = 0
      }
    }
    this.position = position + 1
    if (filled > 0) this.fail(`expected numbers in groups of ${width}`)
    return rowCount
  }

  /** A list of strings. */
  readStrings(onString: (text: string) => void): void {
    this.expect(openBracket)
    if (this.skipIf(closeBracket)) return
    let start = this.position
    for (;;) {
      this.skipSpace()
      if (this.bytes[this.position] !== doubleQuote) this.fail('expected a string')
      this.skipString()
      const end = this.position
      const isLast = !this.skipIf(comma)
      if (isLast) this.expect(closeBracket)
      if (isLast || end - start > pieceBytes) {
        this.readPiece(start, end, onString)
        start = this.position
      }
      if (isLast) return
    }
  }

  /** Past the value that comes now, however deep it is. */
  skip(): void {
    this.skipSpace()
    const byte = this.bytes[this.position]
    if (byte === doubleQuote) this.skipString()
    else if (byte === openBrace || byte === openBracket) this.skipNested()
    else this.skipScalar()
  }

  private skipNested(): void {
    let depth = 0
    do {
      const byte = this.bytes[this.position]
      if (byte === undefined) this.fail('expected a value')
      if (byte === doubleQuote) {
        this.skipString()
        continue
      }
      if (byte === openBrace || byte === openBracket) depth++
      else if (byte === closeBrace || byte === closeBracket) depth--
      this.position++
    } while (depth > 0)
  }

  /** A number, `true`, `false` or `null`. */
  private skipScalar(): void {
    const start = this.position
    while (isWord(this.bytes[this.position])) this.position++
    if (this.position === start) this.fail('expected a value')
  }

  private skipString(): void {
    const { bytes } = this
    for (let from = this.position + 1; ;) {
      const quoteAt = bytes.indexOf(doubleQuote, from)
      if (quoteAt === -1) {
        this.position = bytes.length
        this.fail('expected the end of a string')
      }
      let escapes = quoteAt
      while (bytes[escapes - 1] === backslash) escapes--
      this.position = from = quoteAt + 1
      if ((quoteAt - escapes) % 2 === 0) return
    }
  }

  private readPiece(start: number, end: number, onString: (text: string) => void): void {
    const texts = this.parse(start, '[', ']', end)
    for (const text of Array.isArray(texts) ? texts : []) {
      if (typeof text !== 'string') this.fail('expected a string')
      onString(text)
    }
  }

  private parse(start: number, before: string, after: string, end = this.position): unknown {
    // What is not UTF-8 is replaced: V8 writes halves of surrogate pairs.
    const text = new TextDecoder().decode(this.bytes.subarray(start, end))
    try {
      return JSON.parse(before + text + after)
    } catch (cause) {
      throw this.error('this is not JSON', { position: start, cause })
    }
  }

  private expect(byte: number): void {
    if (!this.skipIf(byte)) this.fail(`expected ${JSON.stringify(String.fromCharCode(byte))}`)
  }

  private skipIf(byte: number): boolean {
    this.skipSpace()
    if (this.bytes[this.position] !== byte) return false
    this.position++
    return true
  }

  private skipSpace(): void {
    while (isSpace(this.bytes[this.position])) this.position++
  }

  private error(message: string, about: { position?: number; cause?: unknown } = {}): FormatError {
    const where = `byte ${about.position ?? this.position}`
    return new FormatError(message, { format: this.format, where, cause: about.cause })
  }
}

function isSpace(byte: number | undefined): boolean {
  return byte === space || (byte !== undefined && byte >= tab && byte <= carriageReturn)
}

/** What numbers and the words of JSON are made of. */
function isWord(byte: number | undefined): boolean {
  return byte !== undefined && /[\w.+-]/.test(String.fromCharCode(byte))
}

function isDigit(byte: number | undefined): byte is number {
  return byte !== undefined && byte >= zero && byte <= nine
}
