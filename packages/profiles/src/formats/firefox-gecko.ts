import { indexColumn, numberColumn, schemaColumn, type Cells } from './firefox-columns.ts'
import { parseLocation, type FirefoxLibrary } from './firefox-location.ts'
import {
  labelsOf,
  type FirefoxSamples,
  type FirefoxStackTable,
  type FirefoxThread,
} from './firefox-thread.ts'
import { isObject, plainNumber, type JsonObject, type JsonReader } from './json.ts'

/**
 * The threads of a profile as Firefox writes it, those of its nested `processes` too; their times are on the clock of the
 * outermost one. https://github.com/firefox-devtools/profiler/blob/main/docs-developer/gecko-profile-format.md
 */
export function readGeckoThreads(
  json: JsonReader,
  profile: JsonObject,
  path: string,
): { threads: FirefoxThread[]; warnings: string[] } {
  const threads: FirefoxThread[] = []
  let textCount = 0
  const firstStart = startOf(profile)
  // Subprocesses hold no further ones in practice; a list of our own, because a file may nest them.
  const processes = [{ profile, path }]
  for (let process = processes.pop(); process !== undefined; process = processes.pop()) {
    const { profile: one, path: at } = process
    const offsetMs = startOf(one) - firstStart
    const libraries = readLibraries(one)
    for (const [index, thread] of json.array(one.threads ?? [], `${at}.threads`).entries()) {
      // Before version 5, a subprocess was a text of JSON among the threads.
      if (typeof thread === 'string') {
        textCount++
        continue
      }
      const threadPath = `${at}.threads[${index}]`
      threads.push(
        readThread(json, json.object(thread, threadPath), { libraries, offsetMs, path: threadPath }),
      )
    }
    for (const [index, nested] of json.array(one.processes ?? [], `${at}.processes`).entries()) {
      const nestedPath = at.length > 200 ? '…' : `${at}.processes[${index}]`
      processes.push({ profile: json.object(nested, nestedPath), path: nestedPath })
    }
  }
  const left = `${textCount.toLocaleString('en')} subprocesses are written as texts, as Firefox did until 2016: they were left out.`
  return { threads, warnings: textCount === 0 ? [] : [left] }
}

function startOf({ meta }: JsonObject): number {
  const start = isObject(meta) ? meta.startTime : undefined
  return typeof start === 'number' && Number.isFinite(start) ? start : 0
}

function readLibraries({ libs }: JsonObject): FirefoxLibrary[] {
  if (!Array.isArray(libs)) return []
  return libs
    .filter(isObject)
    .map(({ start, end, name, path }) => ({
      start: plainNumber(start),
      end: plainNumber(end),
      name: typeof name === 'string' ? name : '',
      path: typeof path === 'string' ? path : '',
    }))
    .filter(({ start, end }) => end > start)
    .toSorted((a, b) => a.start - b.start)
}

interface GeckoProcess {
  libraries: FirefoxLibrary[]
  offsetMs: number
  path: string
}

function readThread(json: JsonReader, thread: JsonObject, process: GeckoProcess): FirefoxThread {
  const { path, offsetMs } = process
  const stackTable = readStackTable(json, thread, process)
  const stackCount = stackTable.prefixes.length
  const samples = json.object(thread.samples, `${path}.samples`)
  const column = (name: string) => schemaColumn(json, samples, name, `${path}.samples`)
  const stacks = column('stack') ?? []
  const cpuDeltas = column('threadCPUDelta')
  const read: FirefoxThread = {
    ...labelsOf(thread),
    stackTable,
    samples: {
      stacks: indexColumn(json, stacks, stackCount, `${path}.samples.stack`),
      timesMs: numberColumn(json, column('time') ?? [], `${path}.samples.time`).map(
        (time) => time + offsetMs,
      ),
      ...(cpuDeltas && { cpuDeltas: numberColumn(json, cpuDeltas, `${path}.samples.threadCPUDelta`) }),
    },
    weightType: 'samples',
    markerCount: 0,
  }
  if (isObject(thread.markers)) readMarkers(json, thread.markers, read, process)
  return read
}

function readStackTable(
  json: JsonReader,
  thread: JsonObject,
  { libraries, path }: GeckoProcess,
): FirefoxStackTable {
  const strings = json.array(thread.stringTable, `${path}.stringTable`)
  const frameTable = json.object(thread.frameTable, `${path}.frameTable`)
  const locations = schemaColumn(json, frameTable, 'location', `${path}.frameTable`) ?? []
  const places = indexColumn(json, locations, strings.length, `${path}.frameTable.location`)
  const lines = schemaColumn(json, frameTable, 'line', `${path}.frameTable`)
  const columns = schemaColumn(json, frameTable, 'column', `${path}.frameTable`)
  const stackTable = json.object(thread.stackTable, `${path}.stackTable`)
  const frames = schemaColumn(json, stackTable, 'frame', `${path}.stackTable`) ?? []
  const prefixes = schemaColumn(json, stackTable, 'prefix', `${path}.stackTable`) ?? []
  return {
    prefixes: indexColumn(json, prefixes, prefixes.length, `${path}.stackTable.prefix`),
    frames: neededColumn(json, frames, locations.length, `${path}.stackTable.frame`),
    frameTable: {
      count: locations.length,
      functionOf: (frame) =>
        parseLocation(json.string(strings[places[frame]!], `${path}.stringTable`), libraries),
      lineOf: (frame) => plainNumber(lines?.[frame] ?? 0),
      columnOf: (frame) => plainNumber(columns?.[frame] ?? 0),
    },
  }
}

/** As `indexColumn`, without missing ones. */
export function neededColumn(json: JsonReader, cells: Cells, limit: number, path: string): Int32Array {
  const column = indexColumn(json, cells, limit, path)
  const missing = column.indexOf(-1)
  return missing === -1 ? column : json.fail('expected an index', `${path}[${missing}]`)
}

/** Allocations are markers with a stack: `{ type: 'JS allocation', size, stack: { samples: { schema, data: [[stack, …]] } } }`. */
function readMarkers(
  json: JsonReader,
  markers: JsonObject,
  thread: FirefoxThread,
  process: GeckoProcess,
): void {
  const path = `${process.path}.markers`
  const payloads = schemaColumn(json, markers, 'data', path) ?? []
  const times =
    schemaColumn(json, markers, 'startTime', path) ?? schemaColumn(json, markers, 'time', path) ?? []
  const stackCount = thread.stackTable.prefixes.length
  const allocations = (type: string): FirefoxSamples | undefined => {
    const rows = payloads.flatMap((payload, row) =>
      isObject(payload) && payload.type === type ? [{ payload, time: times[row] }] : [],
    )
    if (rows.length === 0) return undefined
    const stacks = rows.map(({ payload }) => firstStack(json, payload, path))
    return {
      stacks: indexColumn(json, stacks, stackCount, `${path} of ${type}`),
      timesMs: numberColumn(
        json,
        rows.map(({ time }) => time),
        path,
      ).map((time) => time + process.offsetMs),
      weights: numberColumn(
        json,
        rows.map(({ payload }) => payload.size),
        path,
      ),
    }
  }
  const jsAllocations = allocations('JS allocation')
  const nativeAllocations = allocations('Native allocation')
  if (jsAllocations !== undefined) thread.jsAllocations = jsAllocations
  if (nativeAllocations !== undefined) thread.nativeAllocations = nativeAllocations
  thread.markerCount =
    payloads.length - (jsAllocations?.stacks.length ?? 0) - (nativeAllocations?.stacks.length ?? 0)
}

function firstStack(json: JsonReader, { stack }: JsonObject, path: string): unknown {
  if (!isObject(stack) || !isObject(stack.samples)) return undefined
  return schemaColumn(json, stack.samples, 'stack', path)?.[0]
}
