import type { FunctionTable } from '../profile.ts'
import { numberOf, pairNumbers } from './numbering.ts'
import { baseName } from './same-files.ts'

/** The functions of a profile, with numbers for what tells them apart. */
export interface KeyedFunctions {
  table: FunctionTable
  names: Int32Array
  paths: Int32Array
  /** Of the name and the name of the file, whatever its folder. */
  looseKeys: Int32Array
}

/** Numbers names and paths of functions, the same ones in all profiles alike. */
export class FunctionKeys {
  /** By number, with `/` between folders. */
  readonly paths: string[] = []
  private readonly names = new Map<string, number>()
  private readonly pathNumbers = new Map<string, number>()
  private readonly fileNumbers = new Map<string, number>()
  private readonly baseNames: number[] = []
  private readonly looseKeys = pairNumbers()
  /** Loose keys that several functions of one profile have. */
  private readonly sharedKeys = new Set<number>()
  private readonly areStartLines: boolean

  /** @param areStartLines whether lines make two functions of what has one name in one file */
  constructor(areStartLines: boolean) {
    this.areStartLines = areStartLines
  }

  add(table: FunctionTable): KeyedFunctions {
    const names = Int32Array.from(table.names, (name) => numberOf(name, this.names))
    const paths = Int32Array.from(table.files, (file) => this.pathOf(file))
    const pathsOfKeys = new Map<number, number>()
    const looseKeys = names.map((name, index) => {
      const path = paths[index]!
      const key = this.looseKeys.intern(name, this.baseNames[path]!)
      const other = pathsOfKeys.get(key)
      if (other !== undefined && (this.areStartLines || other !== path)) this.sharedKeys.add(key)
      pathsOfKeys.set(key, path)
      return key
    })
    return { table, names, paths, looseKeys }
  }

  /** Whether no profile has two functions of a loose key. */
  isAlone(looseKey: number): boolean {
    return !this.sharedKeys.has(looseKey)
  }

  private pathOf(file: string): number {
    let number = this.fileNumbers.get(file)
    if (number === undefined) {
      const path = file.replaceAll('\\', '/')
      number = numberOf(path, this.pathNumbers)
      this.fileNumbers.set(file, number)
      this.paths[number] = path
      this.baseNames[number] = numberOf(baseName(path), this.names)
    }
    return number
  }
}
