import {
  commonScale,
  damaged,
  readColumnFile,
  scaledDown,
  writeColumnFile,
  type ColumnReader,
} from './column-file.ts'
import type { JsonObject, JsonReader } from './formats/json.ts'
import {
  profileFormats,
  type FunctionTotals,
  type LabelSummary,
  type Profile,
  type ProfileFormat,
  type SampleType,
  type ThreadSummary,
} from './profile.ts'

/**
 * How a profile without its detail is stored, as a column file:
 *
 *     per function  file index i32, start line i32
 *     per node      distance to the parent i32, function index i32, line i32, calls (values, if any)
 *                   values, per sample type
 *     per function  if the head has scales of them: whether its total is known u8, totals (values), per sample type
 *
 * The distance to the parent is mostly 1 in depth-first order, which deflate likes.
 */
const magic = 'FGPF'

/** The profile as compact bytes, for `decodeProfile`. */
export function encodeProfile(profile: Profile): Uint8Array {
  const { nodes, functions, functionTotals } = profile
  const files = [...new Set(functions.files)]
  const fileIndexes = new Map(files.map((file, index) => [file, index]))
  const valueColumns = [...(nodes.calls ? [nodes.calls] : []), ...profile.selfValues]
  const scales = valueColumns.map(commonScale)
  const totals = functionTotals?.values ?? []
  const totalScales = functionTotals && totals.map(commonScale)
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
    totalScales,
  }
  return writeColumnFile(magic, head, [
    Int32Array.from(functions.files, (file) => fileIndexes.get(file)!),
    functions.startLines,
    nodes.parents.map((parent, node) => node - parent),
    nodes.functionIndexes,
    nodes.lines,
    ...valueColumns.map((values, index) => scaledDown(values, scales[index]!)),
    ...(functionTotals === undefined ? [] : [functionTotals.isKnown]),
    ...totals.map((values, index) => scaledDown(values, totalScales![index]!)),
  ])
}

/** The profile that `encodeProfile` stored. Throws FormatError when the bytes are something else, or damaged. */
export function decodeProfile(bytes: Uint8Array): Profile {
  const { json, head, columns } = readColumnFile(magic, bytes)
  const functionNames = strings(json, head.functionNames, '$.functionNames')
  const files = strings(json, head.files, '$.files')
  const nodeCount = count(json, head.nodeCount, '$.nodeCount')
  if (nodeCount === 0) json.fail('expected a root node', '$.nodeCount')
  const sampleTypes = readSampleTypes(json, head.sampleTypes)
  const scales = json.numbers(head.scales, '$.scales')
  const hasCalls = head.hasCalls === true
  if (scales.length !== sampleTypes.length + (hasCalls ? 1 : 0))
    json.fail('expected a scale per column', '$.scales')

  const functionFiles = columns.int32(functionNames.length)
  const startLines = columns.int32(functionNames.length)
  const parents = parentsOf(columns.int32(nodeCount))
  const functionIndexes = columns.int32(nodeCount)
  const lines = columns.int32(nodeCount)
  const valueColumns = Array.from(scales, (scale) => columns.values(nodeCount, scale))
  const functionTotals =
    head.totalScales === undefined
      ? undefined
      : readFunctionTotals(json.numbers(head.totalScales, '$.totalScales'), columns, functionNames.length)
  columns.finish()
  if (functionTotals !== undefined && functionTotals.values.length !== sampleTypes.length)
    json.fail('expected a scale per sample type', '$.totalScales')
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
  if (functionTotals !== undefined) profile.functionTotals = functionTotals
  if (head.durationMs !== undefined) profile.durationMs = json.number(head.durationMs, '$.durationMs')
  if (head.startedAt !== undefined) profile.startedAt = json.string(head.startedAt, '$.startedAt')
  return profile
}

function readFunctionTotals(
  scales: Float64Array,
  columns: ColumnReader,
  functionCount: number,
): FunctionTotals {
  const isKnown = columns.bytes(functionCount)
  return { isKnown, values: Array.from(scales, (scale) => columns.values(functionCount, scale)) }
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
