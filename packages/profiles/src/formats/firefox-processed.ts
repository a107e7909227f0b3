import { indexColumn, numberColumn, type Cells } from './firefox-columns.ts'
import { neededColumn } from './firefox-gecko.ts'
import { lastLoaded, parseLocation, unknownFunction } from './firefox-location.ts'
import {
  labelsOf,
  type FirefoxFunction,
  type FirefoxSamples,
  type FirefoxStackTable,
  type FirefoxThread,
} from './firefox-thread.ts'
import { isObject, plainNumber, type JsonObject, type JsonReader } from './json.ts'

/**
 * The threads of a profile as the Firefox profiler saves and shares it. Tables are lists of columns; from version 56 to 60 on
 * they are in `shared`, before in every thread. https://github.com/firefox-devtools/profiler/blob/main/docs-developer/CHANGELOG-formats.md
 */
export function readProcessedThreads(json: JsonReader, profile: JsonObject, path: string): FirefoxThread[] {
  const shared = isObject(profile.shared) ? profile.shared : {}
  const tables = new Map<unknown, FirefoxStackTable>()
  return json.array(profile.threads, `${path}.threads`).map((value, index) => {
    const at = `${path}.threads[${index}]`
    const thread = json.object(value, at)
    const owner = { ...profile, ...shared, ...thread }
    let stackTable = tables.get(owner.stackTable)
    if (stackTable === undefined) {
      stackTable = readStackTable(json, owner, thread.stackTable === undefined ? `${path}.shared` : at)
      tables.set(owner.stackTable, stackTable)
    }
    return readThread(json, thread, stackTable, at)
  })
}

function readThread(
  json: JsonReader,
  thread: JsonObject,
  stackTable: FirefoxStackTable,
  path: string,
): FirefoxThread {
  const samples = json.object(thread.samples, `${path}.samples`)
  const allocations = (name: string) => {
    const table = thread[name]
    return isObject(table) ? readSamples(json, table, stackTable, `${path}.${name}`) : undefined
  }
  const jsAllocations = allocations('jsAllocations')
  const nativeAllocations = allocations('nativeAllocations')
  const { markers } = thread
  return {
    ...labelsOf(thread),
    stackTable,
    samples: readSamples(json, samples, stackTable, `${path}.samples`),
    weightType: typeof samples.weightType === 'string' ? samples.weightType : 'samples',
    ...(jsAllocations && { jsAllocations }),
    ...(nativeAllocations && { nativeAllocations }),
    markerCount: isObject(markers) && Array.isArray(markers.name) ? markers.name.length : 0,
  }
}

/** `duration` was the name of `weight` before version 29. */
function readSamples(
  json: JsonReader,
  table: JsonObject,
  stackTable: FirefoxStackTable,
  path: string,
): FirefoxSamples {
  const cells = (name: string): Cells | undefined =>
    table[name] === undefined || table[name] === null ? undefined : json.array(table[name], `${path}.${name}`)
  const stacks = json.array(table.stack, `${path}.stack`)
  const weights = cells('weight') ?? cells('duration')
  const cpuDeltas = cells('threadCPUDelta')
  return {
    stacks: indexColumn(json, stacks, stackTable.prefixes.length, `${path}.stack`),
    timesMs: readTimes(json, table, path),
    ...(weights && { weights: numberColumn(json, weights, `${path}.weight`) }),
    ...(cpuDeltas && { cpuDeltas: numberColumn(json, cpuDeltas, `${path}.threadCPUDelta`) }),
  }
}

function readTimes(json: JsonReader, table: JsonObject, path: string): Float64Array {
  if (table.time !== undefined)
    return numberColumn(json, json.array(table.time, `${path}.time`), `${path}.time`)
  const times = json.numbers(table.timeDeltas, `${path}.timeDeltas`)
  for (let row = 1; row < times.length; row++) times[row]! += times[row - 1]!
  return times
}

/** `owner`: where the tables are, of the thread or of all. */
function readStackTable(json: JsonReader, owner: JsonObject, path: string): FirefoxStackTable {
  const columnsOf = (name: string) => json.object(owner[name], `${path}.${name}`)
  const stackTable = columnsOf('stackTable')
  const frames = json.array(stackTable.frame, `${path}.stackTable.frame`)
  const frameTable = columnsOf('frameTable')
  const funcs = json.array(frameTable.func, `${path}.frameTable.func`)
  const funcTable = columnsOf('funcTable')
  const funcCount = json.array(funcTable.name, `${path}.funcTable.name`).length
  const funcOf = neededColumn(json, funcs, funcCount, `${path}.frameTable.func`)
  const prefixes = readPrefixes(json, stackTable, `${path}.stackTable`)
  if (prefixes.length !== frames.length)
    json.fail(`${prefixes.length} prefixes for ${frames.length} stacks`, `${path}.stackTable`)
  const strings = json.array(owner.stringArray ?? owner.stringTable, `${path}.stringArray`)
  const names = new ProcessedNames({ owner, strings, funcTable, frameTable })
  return {
    prefixes,
    frames: neededColumn(json, frames, funcs.length, `${path}.stackTable.frame`),
    frameTable: {
      count: funcs.length,
      functionOf: (frame) => names.functionOf(frame, funcOf[frame]!),
      lineOf: (frame) => names.lineOf(frame),
      columnOf: (frame) => plainNumber(cell(frameTable.column, frame) ?? 0),
    },
  }
}

/** `prefixOffset` since version 66: how far above the stack below is; 0 for none. */
function readPrefixes(json: JsonReader, table: JsonObject, path: string): Int32Array {
  if (table.prefixOffset === undefined) {
    const prefixes = json.array(table.prefix, `${path}.prefix`)
    return indexColumn(json, prefixes, prefixes.length, `${path}.prefix`)
  }
  const offsets = json.numbers(table.prefixOffset, `${path}.prefixOffset`)
  const prefixes = Array.from(offsets, (offset, stack) => (offset === 0 ? -1 : stack - offset))
  return indexColumn(json, prefixes, offsets.length, `${path}.prefixOffset`)
}

/** What the tables say of a function. A cell that is not there, or points nowhere, says nothing. */
class ProcessedNames {
  private readonly strings: Cells
  private readonly funcTable: JsonObject
  private readonly frameTable: JsonObject
  private readonly resources: JsonObject
  private readonly libs: Cells
  private readonly sources: JsonObject
  private readonly originals: JsonObject

  constructor(tables: { owner: JsonObject; strings: Cells; funcTable: JsonObject; frameTable: JsonObject }) {
    const { owner } = tables
    const table = (name: string) => (isObject(owner[name]) ? owner[name] : {})
    this.strings = tables.strings
    this.funcTable = tables.funcTable
    this.frameTable = tables.frameTable
    this.resources = table('resourceTable')
    this.sources = table('sources')
    this.originals = table('sourceLocationTable')
    this.libs = Array.isArray(owner.libs) ? owner.libs : []
  }

  functionOf(frame: number, func: number): FirefoxFunction {
    const { funcTable } = this
    const name = this.string(cell(funcTable.name, func))
    const lib = this.library(frame, func)
    // Unknown to whoever symbolicated it, or nobody has yet.
    if (/^0x[0-9a-f]+$/i.test(name)) return unknownFunction(lib)
    const original = cell(funcTable.originalLocation, func)
    const source = cell(this.originals.source, original) ?? cell(funcTable.source, func)
    const script =
      this.string(cell(funcTable.fileName, func)) || this.string(cell(this.sources.filename, source))
    if (script === '' && lib === undefined) return parseLocation(name, [])
    const file = script === '' ? lib!.path || lib!.name : lastLoaded(script)
    const startLine = plainNumber(
      cell(this.originals.line, original) ?? cell(funcTable.lineNumber, func) ?? 0,
    )
    // An original location is of no script: the profiler has read the source map already.
    const startColumn = original === undefined ? plainNumber(cell(funcTable.columnNumber, func) ?? 0) : 0
    return { name: name || '(anonymous)', file, startLine, startColumn }
  }

  lineOf(frame: number): number {
    const original = cell(this.frameTable.originalLocation, frame)
    return plainNumber(cell(this.originals.line, original) ?? cell(this.frameTable.line, frame) ?? 0)
  }

  /** Of the frame since version 70, of the function's resource before. */
  private library(frame: number, func: number): { name: string; path: string } | undefined {
    const index =
      cell(this.frameTable.lib, frame) ?? cell(this.resources.lib, cell(this.funcTable.resource, func))
    const lib = cell(this.libs, index)
    if (!isObject(lib)) return undefined
    return {
      name: typeof lib.name === 'string' ? lib.name : '',
      path: typeof lib.path === 'string' ? lib.path : '',
    }
  }

  private string(index: unknown): string {
    const text = cell(this.strings, index)
    return typeof text === 'string' ? text : ''
  }
}

function cell(column: unknown, row: unknown): unknown {
  return Array.isArray(column) && typeof row === 'number' ? (column[row] ?? undefined) : undefined
}
