import { FormatError } from '../format-error.ts'
import { Int32Column } from './pprof-columns.ts'
import { decodeUtf8 } from './text.ts'

/** The string table of the dictionary; only the strings that are asked for are decoded. */
export class OtlpStrings {
  private readonly bytes: Uint8Array
  private readonly starts = new Int32Column('otlp')
  private readonly ends = new Int32Column('otlp')
  private readonly decoded = new Map<number, string>()

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }

  add({ start, end }: { start: number; end: number }): void {
    this.starts.push(start)
    this.ends.push(end)
  }

  /** 0 is no string, also where there is no table. */
  get(index: number): string {
    if (index === 0) return ''
    const known = this.decoded.get(index)
    if (known !== undefined) return known
    if (index >= this.starts.length) {
      throw new FormatError(`there is no string ${index}, only ${this.starts.length}`, { format: 'otlp' })
    }
    const start = this.starts.values[index]!
    const text = decodeUtf8(this.bytes.subarray(start, this.ends.values[index]), {
      format: 'otlp',
      byteOffset: start,
    })
    this.decoded.set(index, text)
    return text
  }
}
