import { deflateSync, inflateSync } from 'node:zlib'
import { FormatError } from './format-error.ts'
import { JsonReader, type JsonObject } from './formats/json.ts'
import { decodeUtf8 } from './formats/text.ts'
import {
  profileFormats,
  type LabelSummary,
  type Profile,
  type ProfileFormat,
  type SampleType,
  type ThreadSummary,
} from './profile.ts'

/**
 * How a profile is stored, version 1. All numbers are little-endian.
 *
 *     "FGPF"  version u8  0 0 0  length of the body u32 | zlib stream of the body
 *     body:   length of the head u32, head (JSON), then columns, each on a multiple of 8 bytes:
 *             per function  file index i32, start line i32
 *             per node      distance to the parent i32, function index i32, line i32, calls (values, if any)
 *                           values, per sample type
 *
 * Values that are multiples of one number, which samples mostly are, are stored as u32 with that `scale`; others
 * as f64 with `scale` 0. The distance to the parent is mostly 1 in depth-first order, which deflate likes.
 */
const magic = 'FGPF'
const version = 1
const prefixLength = 12
const longestBody = 1024 * 1024 * 1024

/** The profile as compact bytes, for `decodeProfile`. */
export function encodeProfile(profile: Profile): Uint8Array {
  const { nodes, functions } = profile
  const files = [...new Set(functions.files)]
  const fileIndexes = new Map(files.map((file, index) => [file, index]))
  const valueColumns = [...(nodes.calls ? [nodes.calls] : []), ...profile.selfValues]
  const scales = valueColumns.map(commonScale)
  const head = {
    format: profile.format,
    sampleTypes: profile.sampleTypes,
    defaultSampleTypeIndex: profile.defaultSampleTypeIndex,
    durationMs: profile.durationMs,
    startedAt: profile.startedAt,
    sampleCount: profile.sampleCount,
    labels: profile.labels,
    threads: profile.threads,
    warnings: profile.warnings,
    functionNames: functions.names,
    files,
    nodeCount: nodes.parents.length,
    hasCalls: nodes.calls !== undefined,
    scales,
  }
  const headBytes = new TextEncoder().encode(JSON.stringify(head))
  const columns = [
    Int32Array.from(functions.files, (file) => fileIndexes.get(file)!),
    functions.startLines,
    nodes.parents.map((parent, node) => node - parent),
    nodes.functionIndexes,
    nodes.lines,
    ...valueColumns.map((values, index) => scaledDown(values, scales[index]!)),
  ]

  const headEnd = 4 + headBytes.length
  const bodyLength = columns.reduce((end, column) => aligned(end) + column.byteLength, headEnd)
  const body = new Uint8Array(bodyLength)
  new DataView(body.buffer).setUint32(0, headBytes.length, true)
  body.set(headBytes, 4)
  let end = headEnd
  for (const column of columns) {
    const start = aligned(end)
    body.set(new Uint8Array(column.buffer, column.byteOffset, column.byteLength), start)
    end = start + column.byteLength
  }

  const compressed = deflateSync(body, { level: 6 })
  const stored = new Uint8Array(prefixLength + compressed.length)
  stored.set(new TextEncoder().encode(magic))
  stored[4] = version
  new DataView(stored.buffer).setUint32(8, bodyLength, true)
  stored.set(compressed, prefixLength)
  return stored
}

/** The profile that `encodeProfile` stored. Throws FormatError when the bytes are something else, or damaged. */
export function decodeProfile(bytes: Uint8Array): Profile {
  const body = inflateBody(bytes)
  const json = new JsonReader()
  const headLength =
    body.length >= 4 ? new DataView(body.buffer, body.byteOffset).getUint32(0, true) : Infinity
  if (4 + headLength > body.length) throw damaged('its head is cut off')
  const head = json.object(parseHead(body.subarray(4, 4 + headLength)), '$')
  const functionNames = strings(json, head.functionNames, '$.functionNames')
  const files = strings(json, head.files, '$.files')
  const nodeCount = count(json, head.nodeCount, '$.nodeCount')
  if (nodeCount === 0) json.fail('expected a root node', '$.nodeCount')
  const sampleTypes = readSampleTypes(json, head.sampleTypes)
  const scales = json.numbers(head.scales, '$.scales')
  const hasCalls = head.hasCalls === true
  if (scales.length !== sampleTypes.length + (hasCalls ? 1 : 0))
    json.fail('expected a scale per column', '$.scales')

  const columns = new ColumnReader(body, 4 + headLength)
  const functionFiles = columns.int32(functionNames.length)
  const startLines = columns.int32(functionNames.length)
  const parents = parentsOf(columns.int32(nodeCount))
  const functionIndexes = columns.int32(nodeCount)
  const lines = columns.int32(nodeCount)
  const valueColumns = Array.from(scales, (scale) => columns.values(nodeCount, scale))
  columns.finish()
  for (let node = 0; node < nodeCount; node++) {
    const index = functionIndexes[node]!
    if (index >= functionNames.length || index < (node === 0 ? -1 : 0))
      throw damaged(`node ${node} has no function`)
  }

  const profile: Profile = {
    format: readFormat(json, head.format),
    sampleTypes,
    defaultSampleTypeIndex: count(json, head.defaultSampleTypeIndex, '$.defaultSampleTypeIndex'),
    sampleCount: json.number(head.sampleCount, '$.sampleCount'),
    functions: {
      names: functionNames,
      files: Array.from(functionFiles, (index) => files[index] ?? json.fail('no such file', '$.files')),
      startLines,
    },
    nodes: { parents, functionIndexes, lines },
    selfValues: hasCalls ? valueColumns.slice(1) : valueColumns,
    labels: readLabels(json, head.labels),
    threads: readThreads(json, head.threads),
    warnings: strings(json, head.warnings, '$.warnings'),
  }
  if (profile.defaultSampleTypeIndex >= sampleTypes.length)
    json.fail('no such type', '$.defaultSampleTypeIndex')
  if (hasCalls) profile.nodes.calls = valueColumns[0]!
  if (head.durationMs !== undefined) profile.durationMs = json.number(head.durationMs, '$.durationMs')
  if (head.startedAt !== undefined) profile.startedAt = json.string(head.startedAt, '$.startedAt')
  return profile
}

function inflateBody(bytes: Uint8Array): Uint8Array {
  if (bytes.length < prefixLength || new TextDecoder('latin1').decode(bytes.subarray(0, 4)) !== magic) {
    throw damaged(`it does not begin with ${magic}`)
  }
  if (bytes[4] !== version) throw damaged(`it has version ${bytes[4]}, not ${version}`)
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(8, true)
  if (length > longestBody) throw damaged('its length is too large')
  let body: Uint8Array
  try {
    body = inflateSync(bytes.subarray(prefixLength), { maxOutputLength: length + 1, chunkSize: length + 64 })
  } catch (cause) {
    throw damaged('it cannot be inflated', cause)
  }
  if (body.length !== length) throw damaged(`it has ${body.length} bytes, not ${length}`)
  // Columns are read in place, so the body has to begin where a double may.
  return body.byteOffset % 8 === 0 ? body : body.slice()
}

function parseHead(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(decodeUtf8(bytes, {}))
  } catch (cause) {
    throw damaged('its head is not JSON', cause)
  }
}

class ColumnReader {
  private readonly body: Uint8Array
  private position: number

  constructor(body: Uint8Array, position: number) {
    this.body = body
    this.position = position
  }

  int32(length: number): Int32Array {
    return new Int32Array(this.body.buffer, this.take(length * 4), length)
  }

  values(length: number, scale: number): Float64Array {
    if (scale === 0) return new Float64Array(this.body.buffer, this.take(length * 8), length)
    const stored = new Uint32Array(this.body.buffer, this.take(length * 4), length)
    const values = new Float64Array(length)
    for (let index = 0; index < length; index++) values[index] = stored[index]! * scale
    return values
  }

  finish(): void {
    if (this.position !== this.body.length) throw damaged('it has bytes left over')
  }

  /** Where in the buffer the next column starts. */
  private take(byteLength: number): number {
    const start = aligned(this.position)
    this.position = start + byteLength
    if (this.position > this.body.length) throw damaged('a column is cut off')
    return this.body.byteOffset + start
  }
}

/** From distances; each parent must be on the path to the node before, or the order is not depth first. */
function parentsOf(distances: Int32Array): Int32Array {
  const parents = new Int32Array(distances.length)
  parents[0] = -1
  for (let node = 1; node < parents.length; node++) {
    const parent = node - distances[node]!
    let open = node - 1
    while (open > parent && open > 0) open = parents[open]!
    if (open !== parent) throw damaged(`node ${node} is not below the node before it`)
    parents[node] = parent
  }
  return parents
}

/** The largest number that all values are multiples of, so that the quotients fit u32; 0 when there is none. */
function commonScale(values: Float64Array): number {
  let scale = 0
  let largest = 0
  for (const value of values) {
    if (!Number.isSafeInteger(value) || value < 0 || Object.is(value, -0)) return 0
    if (value === 0) continue
    largest = Math.max(largest, value)
    scale = greatestCommonDivisor(value, scale)
  }
  return largest / (scale || 1) < 2 ** 32 ? scale || 1 : 0
}

function greatestCommonDivisor(a: number, b: number): number {
  let [larger, smaller] = [a, b]
  while (smaller !== 0) [larger, smaller] = [smaller, larger % smaller]
  return larger
}

function scaledDown(values: Float64Array, scale: number): Float64Array | Uint32Array {
  return scale === 0 ? values : Uint32Array.from(values, (value) => value / scale)
}

function aligned(position: number): number {
  return Math.ceil(position / 8) * 8
}

function damaged(what: string, cause?: unknown): FormatError {
  return new FormatError(`the stored profile is damaged: ${what}`, { cause })
}

function count(json: JsonReader, value: unknown, path: string): number {
  const number = json.number(value, path)
  return Number.isInteger(number) && number >= 0 ? number : json.fail('expected a count', path)
}

function strings(json: JsonReader, value: unknown, path: string): string[] {
  return json.array(value, path).map((element, index) => json.string(element, `${path}[${index}]`))
}

function objects(json: JsonReader, value: unknown, path: string): JsonObject[] {
  return json.array(value, path).map((element, index) => json.object(element, `${path}[${index}]`))
}

function readFormat(json: JsonReader, value: unknown): ProfileFormat {
  return profileFormats.find((format) => format === value) ?? json.fail('expected a format', '$.format')
}

function readSampleTypes(json: JsonReader, value: unknown): SampleType[] {
  return objects(json, value, '$.sampleTypes').map(({ type, unit }) => ({
    type: json.string(type, '$.sampleTypes.type'),
    unit: json.string(unit, '$.sampleTypes.unit'),
  }))
}

function readLabels(json: JsonReader, value: unknown): LabelSummary[] {
  return objects(json, value, '$.labels').map((label) => ({
    name: json.string(label.name, '$.labels.name'),
    valueCount: count(json, label.valueCount, '$.labels.valueCount'),
    values: objects(json, label.values, '$.labels.values').map((entry) => ({
      value: json.string(entry.value, '$.labels.values.value'),
      sampleCount: json.number(entry.sampleCount, '$.labels.values.sampleCount'),
      weight: json.number(entry.weight, '$.labels.values.weight'),
    })),
  }))
}

function readThreads(json: JsonReader, value: unknown): ThreadSummary[] {
  return objects(json, value, '$.threads').map((thread) => ({
    name: json.string(thread.name, '$.threads.name'),
    totals: Array.from(json.numbers(thread.totals, '$.threads.totals')),
  }))
}
