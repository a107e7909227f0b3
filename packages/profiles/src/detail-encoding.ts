import {
  commonScale,
  damaged,
  readColumnFile,
  scaledDown,
  writeColumnFile,
  type Column,
  type ColumnReader,
} from './column-file.ts'
import type { JsonObject, JsonReader } from './formats/json.ts'
import type { LabelSet, ProfileDetail } from './profile-detail.ts'

/**
 * How the detail of a profile is stored, as a column file; tables that a profile does not have are left out. The head has
 * every text of a label once, and sets of labels as indexes of names and values in turn.
 *
 *     labelled  per row  node i32, label set i32, values per sample type
 *     timeline  per row  time f64, node i32, label set i32, value
 *     lines     per row  node i32, line i32, self values and total values per sample type
 */
const magic = 'FGPD'

/** The detail as compact bytes, for `decodeDetail`. */
export function encodeDetail({ labelSets, labelled, timeline, lines }: ProfileDetail): Uint8Array {
  const columns: Column[] = []
  const write = (indexes: Int32Array[], values: Float64Array[]) => {
    const scales = values.map(commonScale)
    columns.push(...indexes, ...values.map((column, index) => scaledDown(column, scales[index]!)))
    return { rowCount: indexes[0]!.length, scales }
  }
  if (timeline !== undefined) columns.push(timeline.timesMs)
  const labelTexts = [...new Set(labelSets.flat(2))]
  const textIndexes = new Map(labelTexts.map((text, index) => [text, index]))
  const head = {
    labelTexts,
    labelSets: labelSets.map((labels) => labels.flat().map((text) => textIndexes.get(text))),
    timeline: timeline && write([timeline.nodes, timeline.labelSetIndexes], [timeline.values]),
    labelled: labelled && write([labelled.nodes, labelled.labelSetIndexes], labelled.values),
    lines: lines && write([lines.nodes, lines.lines], [...lines.selfValues, ...lines.totalValues]),
  }
  return writeColumnFile(magic, head, columns)
}

/** The detail that `encodeDetail` stored. Throws FormatError when the bytes are something else, or damaged. */
export function decodeDetail(bytes: Uint8Array): ProfileDetail {
  const { json, head, columns } = readColumnFile(magic, bytes)
  const detail: ProfileDetail = { labelSets: readLabelSets(json, head) }
  const known = detail.labelSets.length
  if (head['timeline'] !== undefined) {
    const table = json.object(head['timeline'], '$.timeline')
    const timesMs = columns.values(rowCountOf(json, table), 0)
    const { nodes, seconds, values } = readTable(json, table, columns)
    detail.timeline = { timesMs, nodes, labelSetIndexes: within(seconds, known), values: only(values, 1)[0]! }
  }
  if (head['labelled'] !== undefined) {
    const { nodes, seconds, values } = readTable(json, json.object(head['labelled'], '$.labelled'), columns)
    detail.labelled = { nodes, labelSetIndexes: within(seconds, known), values }
  }
  if (head['lines'] !== undefined) {
    const { nodes, seconds, values } = readTable(json, json.object(head['lines'], '$.lines'), columns)
    const typeCount = values.length / 2
    detail.lines = {
      nodes,
      lines: seconds,
      selfValues: values.slice(0, typeCount),
      totalValues: values.slice(typeCount),
    }
  }
  columns.finish()
  return detail
}

function readTable(
  json: JsonReader,
  table: JsonObject,
  columns: ColumnReader,
): { nodes: Int32Array; seconds: Int32Array; values: Float64Array[] } {
  const rowCount = rowCountOf(json, table)
  const nodes = columns.int32(rowCount)
  const seconds = columns.int32(rowCount)
  const scales = json.numbers(table['scales'], '$.scales')
  return { nodes, seconds, values: Array.from(scales, (scale) => columns.values(rowCount, scale)) }
}

function rowCountOf(json: JsonReader, table: JsonObject): number {
  const count = json.number(table['rowCount'], '$.rowCount')
  if (!Number.isInteger(count) || count < 0) throw damaged('it has no count of rows')
  return count
}

function readLabelSets(json: JsonReader, head: JsonObject): LabelSet[] {
  const texts = json
    .array(head['labelTexts'], '$.labelTexts')
    .map((text) => json.string(text, '$.labelTexts'))
  const textAt = (index: number | undefined) => {
    const text = texts[index ?? -1]
    if (text === undefined) throw damaged('it names a label that is not there')
    return text
  }
  return json.array(head['labelSets'], '$.labelSets').map((set) => {
    const indexes = json.numbers(set, '$.labelSets')
    return Array.from(
      { length: Math.ceil(indexes.length / 2) },
      (_, label) => [textAt(indexes[2 * label]), textAt(indexes[2 * label + 1])] as const,
    )
  })
}

function within(indexes: Int32Array, count: number): Int32Array {
  if (indexes.some((index) => index < 0 || index >= count))
    throw damaged('it names labels that are not there')
  return indexes
}

function only<T>(list: T[], count: number): T[] {
  if (list.length !== count) throw damaged(`it has ${list.length} columns of values`)
  return list
}
