import type { FunctionTable } from './profile.ts'

/** Collects functions, each once. */
export class FunctionInterner {
  /** The first function of a name, which is mostly the only one. */
  private readonly firsts = new Map<string, number>()
  private readonly others = new Map<string, number>()
  private readonly names: string[] = []
  private readonly files: string[] = []
  private readonly startLines: number[] = []

  /** The index of a function, new or known. A start line outside int32 counts as unknown. */
  intern(name: string, file = '', startLine = 0): number {
    const line = toLine(startLine)
    const first = this.firsts.get(name)
    if (first === undefined) {
      const index = this.add(name, file, line)
      this.firsts.set(name, index)
      return index
    }
    if (this.files[first] === file && this.startLines[first] === line) return first
    const key = `${name}\0${file}\0${line}`
    const known = this.others.get(key)
    if (known !== undefined) return known
    const index = this.add(name, file, line)
    this.others.set(key, index)
    return index
  }

  /** Whether the text has the name of a function at a place; -1 is no function. */
  isNameAt(index: number, text: string, start: number, end: number): boolean {
    const name = this.names[index]
    return name !== undefined && name.length === end - start && text.startsWith(name, start)
  }

  private add(name: string, file: string, line: number): number {
    this.files.push(file)
    this.startLines.push(line)
    return this.names.push(name) - 1
  }

  finish(): FunctionTable {
    return { names: this.names, files: this.files, startLines: Int32Array.from(this.startLines) }
  }
}

/** A line number as it fits a column, 0 when it is none. */
export function toLine(line: number): number {
  return Number.isInteger(line) && line > 0 && line < 2 ** 31 ? line : 0
}
