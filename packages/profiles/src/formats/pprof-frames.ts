import { FunctionInterner } from '../function-interner.ts'
import { frameFilter } from './pprof-frame-filter.ts'
import type { PprofTables } from './pprof-tables.ts'

/** The functions of locations, outermost first. Names are decoded when first asked for. */
export class PprofFrames {
  readonly functions = new FunctionInterner()
  private readonly tables: PprofTables
  private readonly isHidden: ((name: string) => boolean) | undefined
  /** Plus one, 0 when not looked up yet: per function, per mapping plus one, per location. */
  private readonly functionIndexes: Int32Array
  private readonly binaryIndexes: Int32Array
  private readonly shownCounts: Int32Array

  constructor(tables: PprofTables, warnings: string[]) {
    this.tables = tables
    this.isHidden = frameFilter(tables.dropFrames, tables.keepFrames, warnings)
    this.functionIndexes = new Int32Array(tables.functionIds.count)
    this.binaryIndexes = new Int32Array(tables.mappingIds.count + 1)
    this.shownCounts = new Int32Array(tables.locationIds.count)
  }

  /** Locations that have an address but no function. */
  get unknownLocations(): number {
    let count = 0
    for (let location = 0; location < this.tables.locationIds.count; location++) {
      if (!this.hasFunctions(location)) count++
    }
    return count
  }

  /** How many frames a location stands for: its functions, or one for the binary. */
  count(location: number): number {
    return Math.max(1, this.tables.lineEnds.values[location]! - this.tables.lineStarts.values[location]!)
  }

  /** How many of them, from the outermost, come before one that is to be hidden. */
  shownCount(location: number): number {
    if (this.isHidden === undefined) return this.count(location)
    if (this.shownCounts[location] === 0)
      this.shownCounts[location] = this.countShown(location, this.isHidden) + 1
    return this.shownCounts[location]! - 1
  }

  functionIndex(location: number, frame: number): number {
    if (!this.hasFunctions(location)) return this.binaryIndex(location)
    const row = this.tables.lineFunctions.values[this.tables.lineEnds.values[location]! - 1 - frame]!
    if (this.functionIndexes[row] === 0) this.functionIndexes[row] = this.intern(row, location) + 1
    return this.functionIndexes[row]! - 1
  }

  line(location: number, frame: number): number {
    if (!this.hasFunctions(location)) return 0
    return this.tables.lineNumbers.values[this.tables.lineEnds.values[location]! - 1 - frame]!
  }

  private hasFunctions(location: number): boolean {
    return this.tables.lineEnds.values[location]! > this.tables.lineStarts.values[location]!
  }

  private countShown(location: number, isHidden: (name: string) => boolean): number {
    const count = this.count(location)
    if (!this.hasFunctions(location)) return count
    for (let frame = 0; frame < count; frame++) {
      const row = this.tables.lineFunctions.values[this.tables.lineEnds.values[location]! - 1 - frame]!
      if (isHidden(this.tables.strings.get(this.tables.functionNames.values[row]!))) return frame
    }
    return count
  }

  private intern(row: number, location: number): number {
    const { strings, functionNames, functionSystemNames, functionFiles, functionStartLines } = this.tables
    const name = strings.get(functionNames.values[row]!) || strings.get(functionSystemNames.values[row]!)
    const file = strings.get(functionFiles.values[row]!)
    const binary = this.binaryFile(location)
    return this.functions.intern(name || binaryName(binary), file || binary, functionStartLines.values[row])
  }

  private binaryIndex(location: number): number {
    const mapping = this.tables.locationMappings.values[location]!
    if (this.binaryIndexes[mapping] === 0) {
      const file = this.binaryFile(location)
      this.binaryIndexes[mapping] = this.functions.intern(binaryName(file), file) + 1
    }
    return this.binaryIndexes[mapping]! - 1
  }

  /** The file that the location was loaded from, or ''. */
  private binaryFile(location: number): string {
    const mapping = this.tables.locationMappings.values[location]!
    return mapping === 0 ? '' : this.tables.strings.get(this.tables.mappingFiles.values[mapping - 1] ?? 0)
  }
}

/** How a function is named of which only the binary is known. */
export function binaryName(file: string): string {
  return file === '' ? '<unknown>' : `[${file.slice(file.lastIndexOf('/') + 1)}]`
}
