import { FormatError } from '../format-error.ts'
import { limits } from '../limits.ts'
import { decodeUtf8 } from './text.ts'

/** A growing column of int32, zero where nothing was set. */
export class Int32Column {
  values = new Int32Array(1024)
  length = 0

  push(value: number): void {
    this.set(this.length, value)
  }

  set(index: number, value: number): void {
    if (index >= limits.tableEntries) {
      throw new FormatError(`a table has more than ${limits.tableEntries} entries`, { format: 'pprof' })
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

/** The string table as byte ranges; only the strings that are asked for are decoded. */
export class PprofStrings {
  private readonly starts = new Int32Column()
  private readonly ends = new Int32Column()
  private readonly decoded = new Map<number, string>()
  private readonly bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }

  get count(): number {
    return this.starts.length
  }

  add(start: number, end: number): void {
    if (this.count === 0 && start !== end) {
      const where = `byte ${start}`
      throw new FormatError('the string table does not start with the empty string', {
        format: 'pprof',
        where,
      })
    }
    this.starts.push(start)
    this.ends.push(end)
  }

  get(index: number): string {
    if (!Number.isInteger(index) || index < 0 || index >= this.count) {
      throw new FormatError(`there is no string ${index}, only ${this.count}`, { format: 'pprof' })
    }
    const known = this.decoded.get(index)
    if (known !== undefined) return known
    const start = this.starts.values[index]!
    const text = decodeUtf8(this.bytes.subarray(start, this.ends.values[index]), {
      format: 'pprof',
      byteOffset: start,
    })
    this.decoded.set(index, text)
    return text
  }
}
