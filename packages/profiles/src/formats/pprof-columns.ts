import { FormatError } from '../format-error.ts'
import { limits } from '../limits.ts'
import type { ProfileFormat } from '../profile.ts'
import { decodeUtf8 } from './text.ts'

/** A growing column of int32, zero where nothing was set. */
export class Int32Column {
  values = new Int32Array(1024)
  length = 0
  private readonly format: ProfileFormat

  constructor(format: ProfileFormat = 'pprof') {
    this.format = format
  }

  push(value: number): void {
    this.set(this.length, value)
  }

  set(index: number, value: number): void {
    if (index >= limits.tableEntries) {
      throw new FormatError(`a table has more than ${limits.tableEntries} entries`, { format: this.format })
    }
    if (index >= this.values.length) {
      const values = new Int32Array(Math.max(index + 1, this.values.length * 2))
      values.set(this.values)
      this.values = values
    }
    this.values[index] = value
    if (index >= this.length) this.length = index + 1
  }
}

/** Numbers the ids of a table 0, 1, 2 … Ids are any uint64: mostly 1, 2, 3 …, sometimes addresses or hashes. */
export class IdIndex {
  count = 0
  /** Index plus one by id, for ids below `denseIds`. */
  dense = new Int32Array(1024)
  private readonly sparse = new Map<number | bigint, number>()

  /** The index of an id, new or known. */
  intern(id: number | bigint): number {
    const known = this.find(id)
    if (known !== -1) return known
    if (this.count >= limits.tableEntries) {
      throw new FormatError(`a table has more than ${limits.tableEntries} ids`, { format: 'pprof' })
    }
    const index = this.count++
    if (typeof id === 'bigint' || id >= denseIds) {
      this.sparse.set(id, index)
      return index
    }
    if (id >= this.dense.length) {
      const dense = new Int32Array(Math.min(denseIds, Math.max(id + 1, this.dense.length * 2)))
      dense.set(this.dense)
      this.dense = dense
    }
    this.dense[id] = index + 1
    return index
  }

  /** The index of a known id, or -1. */
  find(id: number | bigint): number {
    if (typeof id === 'bigint' || id >= denseIds) return this.sparse.get(id) ?? -1
    return id < this.dense.length ? this.dense[id]! - 1 : -1
  }
}

/** Ids below this are found by position, others by hashing. */
export const denseIds = 2 ** 22

/** The string table as bytes; only the strings that are asked for are decoded. */
export class PprofStrings {
  private bytes = Buffer.alloc(2 ** 16)
  /** String `i`: from `starts[i]` to before `starts[i + 1]`. */
  private readonly starts = new Int32Column()
  /** Where each begins in the file. */
  private readonly offsets = new Int32Column()
  private readonly decoded = new Map<number, string>()

  constructor() {
    this.starts.push(0)
  }

  get count(): number {
    return this.offsets.length
  }

  add(text: Uint8Array, offset: number): void {
    if (this.count === 0 && text.length > 0) {
      const where = `byte ${offset}`
      throw new FormatError('the string table does not start with the empty string', {
        format: 'pprof',
        where,
      })
    }
    const start = this.starts.values[this.count]!
    const end = start + text.length
    if (end > this.bytes.length) {
      const bytes = Buffer.alloc(Math.max(end, this.bytes.length * 2))
      bytes.set(this.bytes)
      this.bytes = bytes
    }
    this.bytes.set(text, start)
    this.starts.push(end)
    this.offsets.push(offset)
  }

  get(index: number): string {
    if (!Number.isInteger(index) || index < 0 || index >= this.count) {
      throw new FormatError(`there is no string ${index}, only ${this.count}`, { format: 'pprof' })
    }
    const known = this.decoded.get(index)
    if (known !== undefined) return known
    const text = this.decode(this.starts.values[index]!, this.starts.values[index + 1]!, index)
    this.decoded.set(index, text)
    return text
  }

  /** Most are ASCII, which takes a third of the time. */
  private decode(start: number, end: number, index: number): string {
    let position = start
    while (position < end && this.bytes[position]! < 128) position++
    if (position === end) return this.bytes.toString('latin1', start, end)
    const byteOffset = this.offsets.values[index]!
    return decodeUtf8(this.bytes.subarray(start, end), { format: 'pprof', byteOffset })
  }
}
