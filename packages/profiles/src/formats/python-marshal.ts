import { FormatError } from '../format-error.ts'
import type { ProfileFormat } from '../profile.ts'

export interface MarshalDict {
  entries: [key: MarshalValue, value: MarshalValue][]
}
/** Texts, numbers, None, and tuples and dicts of those. */
export type MarshalValue = string | number | null | readonly MarshalValue[] | MarshalDict

const maxDepth = 8
/** Set in a type where later values may refer to this one. */
const isShared = 0x80
const latin1 = new TextDecoder('latin1')
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })

/**
 * Reads the data of Python's `marshal`, as Python 2.7 to 3.14 write it: only what needs no code, so nothing is run or loaded.
 * https://docs.python.org/3/library/marshal.html and, for the bytes, `Python/marshal.c`
 *
 * Lengths are held against what is left of the file, and values are at most 8 deep. Shared values are one object here too.
 */
export class PythonMarshal {
  position = 0
  private readonly bytes: Uint8Array
  private readonly view: DataView
  private readonly format: ProfileFormat
  private readonly shared: (MarshalValue | undefined)[] = []
  /** Python 2 has a list of its own for names. */
  private readonly names: string[] = []

  constructor(bytes: Uint8Array, format: ProfileFormat) {
    this.bytes = bytes
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.format = format
  }

  /** The next value. @throws FormatError */
  read(): MarshalValue {
    const value = this.readAt(0)
    if (value === undefined) this.fail('a value is missing', this.position - 1)
    return value
  }

  /** Undefined at the mark that ends a dict. */
  private readAt(depth: number): MarshalValue | undefined {
    const start = this.position
    if (depth > maxDepth) this.fail(`values are more than ${maxDepth} deep`, start)
    const code = this.uint8()
    const slot = (code & isShared) === 0 ? -1 : this.shared.push(undefined) - 1
    const value = this.readBody(String.fromCharCode(code & ~isShared), depth, start)
    if (slot >= 0) this.shared[slot] = value
    return value
  }

  private readBody(type: string, depth: number, start: number): MarshalValue | undefined {
    switch (type) {
      case '0':
        return undefined
      case 'N':
        return null
      case 'F':
        return 0
      case 'T':
        return 1
      case 'i':
        return this.int32()
      case 'I':
        return this.int64()
      case 'l':
        return this.longInteger()
      case 'f':
        return this.numberAsText(start)
      case 'g':
        return this.view.getFloat64(this.take(8), true)
      case 's':
      case 'u':
        return this.text(this.size(), utf8)
      case 't':
        return this.name()
      case 'R':
        return this.names[this.int32()] ?? this.fail('refers to a name that is not there', start)
      case 'a':
      case 'A':
        return this.text(this.size(), latin1)
      case 'z':
      case 'Z':
        return this.text(this.uint8(), latin1)
      case '(':
        return this.tuple(this.size(), depth)
      case ')':
        return this.tuple(this.uint8(), depth)
      case '{':
        return this.dict(depth)
      case 'r':
        return this.shared[this.int32()] ?? this.fail('refers to a value that is not there', start)
      default:
        return this.fail('holds what a profile does not', start)
    }
  }

  private tuple(size: number, depth: number): MarshalValue[] {
    // Each takes a byte at least.
    if (size > this.bytes.length - this.position) this.fail('the file is cut off', this.bytes.length)
    const values: MarshalValue[] = []
    for (let index = 0; index < size; index++) {
      const value = this.readAt(depth + 1)
      if (value === undefined) this.fail('a value is missing', this.position - 1)
      values.push(value)
    }
    return values
  }

  private dict(depth: number): MarshalDict {
    const entries: [MarshalValue, MarshalValue][] = []
    for (let key = this.readAt(depth + 1); key !== undefined; key = this.readAt(depth + 1)) {
      const value = this.readAt(depth + 1)
      if (value === undefined) this.fail('a value is missing', this.position - 1)
      entries.push([key, value])
    }
    return { entries }
  }

  private name(): string {
    const name = this.text(this.size(), utf8)
    this.names.push(name)
    return name
  }

  private text(size: number, decoder: { decode(bytes: Uint8Array): string }): string {
    const start = this.take(size)
    return decoder.decode(this.bytes.subarray(start, start + size))
  }

  /** `0.25` in ASCII, as before Python 2.5, or by request. */
  private numberAsText(start: number): number {
    const number = Number(this.text(this.uint8(), latin1))
    return Number.isNaN(number) ? this.fail('expected a number', start) : number
  }

  private int64(): number {
    return Number(this.view.getBigInt64(this.take(8), true))
  }

  /** Digits of 15 bits, the lowest first; their number has the sign. */
  private longInteger(): number {
    const count = this.view.getInt16(this.take(2), true)
    let value = 0
    const start = this.take(2 * Math.abs(count))
    for (let digit = Math.abs(count) - 1; digit >= 0; digit--)
      value = value * 2 ** 15 + this.view.getUint16(start + 2 * digit, true)
    return count < 0 ? -value : value
  }

  private uint8(): number {
    return this.view.getUint8(this.take(1))
  }

  private int32(): number {
    return this.view.getInt32(this.take(4), true)
  }

  private size(): number {
    const start = this.position
    const size = this.int32()
    return size < 0 ? this.fail('a length is negative', start) : size
  }

  /** Where the next bytes start. */
  private take(count: number): number {
    const start = this.position
    if (start + count > this.bytes.length) this.fail('the file is cut off', this.bytes.length)
    this.position = start + count
    return start
  }

  private fail(message: string, byte: number): never {
    throw new FormatError(message, { format: this.format, where: `byte ${byte}` })
  }
}
