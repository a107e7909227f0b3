import type { FunctionTable } from './profile.ts'

/** Collects functions, each once. */
export class FunctionInterner {
  private readonly indexes = new Map<string, number>()
  private readonly names: string[] = []
  private readonly files: string[] = []
  private readonly startLines: number[] = []

  /** The index of a function, new or known. A start line outside int32 counts as unknown. */
  intern(name: string, file = '', startLine = 0): number {
    const line = toLine(startLine)
    const key = line === 0 && file === '' ? name : `${name}\0${file}\0${line}`
    const known = this.indexes.get(key)
    if (known !== undefined) return known
    const index = this.names.length
    this.indexes.set(key, index)
    this.names.push(name)
    this.files.push(file)
    this.startLines.push(line)
    return index
  }

  /** Whether the text has the name of a function at a place; -1 is no function. */
  isNameAt(index: number, text: string, start: number, end: number): boolean {
    const name = this.names[index]
    return name !== undefined && name.length === end - start && text.startsWith(name, start)
  }

  finish(): FunctionTable {
    return { names: this.names, files: this.files, startLines: Int32Array.from(this.startLines) }
  }
}

/** A line number as it fits a column, 0 when it is none. */
export function toLine(line: number): number {
  return Number.isInteger(line) && line > 0 && line < 2 ** 31 ? line : 0
}
