import type { ProfileDetail } from '../profile-detail.ts'
import type { FunctionTotals, Profile } from '../profile.ts'
import { ByteWriter } from './byte-writer.ts'

const perPiece = 4096

/**
 * Everything that is known of a profile, as columns in JSON, `flamegate-profile` version 1:
 *
 *     { format, version, name, source_format, sample_types: [{ type, unit }], default_sample_type,
 *       duration_ms, started_at, sample_count, warnings,
 *       functions:  { name[], file[], start_line[], total: [[]]? },
 *       nodes:      { parent[], function[], line[], calls[]?, self: [[]] },
 *       label_sets: [[[name, value]]],
 *       labelled:   { node[], label_set[], values: [[]] }?,
 *       timeline:   { time_ms[], node[], label_set[], value[] }?,
 *       lines:      { node[], line[], self: [[]], total: [[]] }? }
 *
 * Nodes are the call tree in depth-first order; node 0 is the root and has the parent and the function -1. `self`,
 * `values` and `total` have a column per sample type. Files and lines that are not known are '' and 0. Functions have totals where
 * the file tells them better than the tree that was made of it, and null of those of which only the tree tells. Rows of `labelled`
 * of one node add up to its self values; `timeline` is in the order of times, with values of the default sample type.
 */
export function exportJson(
  profile: Profile,
  detail: ProfileDetail | undefined,
  options: { name: string },
): Uint8Array {
  const { functions, functionTotals, nodes, selfValues } = profile
  const head = {
    format: 'flamegate-profile',
    version: 1,
    name: options.name,
    source_format: profile.format,
    sample_types: profile.sampleTypes,
    default_sample_type: profile.defaultSampleTypeIndex,
    duration_ms: profile.durationMs ?? null,
    started_at: profile.startedAt ?? null,
    sample_count: profile.sampleCount,
    warnings: profile.warnings,
  }
  const out = new ByteWriter()
  out.text(JSON.stringify(head).slice(0, -1))
  writeTable(out, 'functions', {
    name: functions.names,
    file: functions.files,
    start_line: functions.startLines,
    ...(functionTotals === undefined ? {} : { total: withNulls(functionTotals) }),
  })
  writeTable(out, 'nodes', {
    parent: nodes.parents,
    function: nodes.functionIndexes,
    line: nodes.lines,
    ...(nodes.calls === undefined ? {} : { calls: nodes.calls }),
    self: selfValues,
  })
  out.text(`,"label_sets":${JSON.stringify(detail?.labelSets ?? [[]])}`)
  if (detail?.labelled !== undefined) {
    const { nodes: node, labelSetIndexes, values } = detail.labelled
    writeTable(out, 'labelled', { node, label_set: labelSetIndexes, values })
  }
  if (detail?.timeline !== undefined) {
    const { timesMs, nodes: node, labelSetIndexes, values } = detail.timeline
    writeTable(out, 'timeline', { time_ms: timesMs, node, label_set: labelSetIndexes, value: values })
  }
  if (detail?.lines !== undefined) {
    const { nodes: node, lines: line, selfValues: self, totalValues: total } = detail.lines
    writeTable(out, 'lines', { node, line, self, total })
  }
  return out.text('}').finish()
}

/** NaN is written as null. */
function withNulls({ isKnown, values }: FunctionTotals): Float64Array[] {
  return values.map((column) => column.map((total, index) => (isKnown[index] === 1 ? total : Number.NaN)))
}

type Column = readonly string[] | Int32Array | Float64Array

function writeTable(
  out: ByteWriter,
  name: string,
  columns: Readonly<Record<string, Column | readonly Float64Array[]>>,
): void {
  let start = `,${JSON.stringify(name)}:{`
  for (const [column, values] of Object.entries(columns)) {
    out.text(`${start}${JSON.stringify(column)}:`)
    start = ','
    if (isPerType(values)) {
      for (const [index, each] of values.entries()) {
        out.text(index === 0 ? '[' : ',')
        writeColumn(out, each)
      }
      out.text(']')
    } else writeColumn(out, values)
  }
  out.text('}')
}

function isPerType(values: Column | readonly Float64Array[]): values is readonly Float64Array[] {
  return Array.isArray(values) && values[0] instanceof Float64Array
}

/** Piece by piece, because a string has a longest length. */
function writeColumn(out: ByteWriter, column: Column): void {
  out.text('[')
  for (let start = 0; start < column.length; start += perPiece) {
    const values: ArrayLike<string | number> = column.slice(start, start + perPiece)
    const piece = JSON.stringify(Array.from(values))
    out.text(`${start === 0 ? '' : ','}${piece.slice(1, -1)}`)
  }
  out.text(']')
}
