import type { LineValues, ProfileDetail } from '../profile-detail.ts'
import { totalValues, type Profile } from '../profile.ts'

/** Samples to be written: where the stack ends, on which line, with which labels, and one value per sample type. */
export interface PprofRows {
  nodes: number[]
  /** 0 where it is not known. */
  lines: number[]
  labelSetIndexes: number[]
  /** Per sample type. */
  values: number[][]
}

/**
 * The self values of a profile as samples, in the order of the tree. They are told apart by line, and by labels; a node
 * that has several of both is told apart by labels only, because which line goes with which labels is not known.
 */
export function pprofRows(profile: Profile, detail: ProfileDetail | undefined): PprofRows {
  const { selfValues } = profile
  const rows: PprofRows = { nodes: [], lines: [], labelSetIndexes: [], values: selfValues.map(() => []) }
  const add = (node: number, line: number, labelSet: number, own: readonly number[]) => {
    if (own.every((value) => value === 0)) return
    rows.nodes.push(node)
    rows.lines.push(line)
    rows.labelSetIndexes.push(labelSet)
    for (const [type, value] of own.entries()) rows.values[type]!.push(value)
  }
  const nodeCount = profile.nodes.parents.length
  const labelStarts = startsOf(detail?.labelled?.nodes, nodeCount)
  const lineStarts = startsOf(detail?.lines?.nodes, nodeCount)
  for (let node = 0; node < nodeCount; node++) {
    const own = selfValues.map((column) => column[node]!)
    const [labelRow, labelEnd] = [labelStarts[node]!, labelStarts[node + 1]!]
    const [lineRow, lineEnd] = [lineStarts[node]!, lineStarts[node + 1]!]
    if (labelEnd - labelRow > 1) {
      const { labelSetIndexes, values } = detail!.labelled!
      const isOneLine = lineEnd - lineRow === 1 && areEqual(own, at(detail!.lines!.selfValues, lineRow))
      const line = isOneLine ? detail!.lines!.lines[lineRow]! : 0
      for (let row = labelRow; row < labelEnd; row++) add(node, line, labelSetIndexes[row]!, at(values, row))
      continue
    }
    const labelSet = labelEnd > labelRow ? detail!.labelled!.labelSetIndexes[labelRow]! : 0
    let rest = own
    for (let row = lineRow; row < lineEnd; row++) {
      const ofLine = at(detail!.lines!.selfValues, row)
      add(node, detail!.lines!.lines[row]!, labelSet, ofLine)
      rest = rest.map((value, type) => difference(value, ofLine[type]!))
    }
    add(node, 0, labelSet, rest)
  }
  return rows
}

/** Per node, the line of its function that all samples through it are at; 0 where there are several, or it is not known. */
export function onlyLines(profile: Profile, lines: LineValues | undefined): Int32Array {
  const { parents } = profile.nodes
  const only = new Int32Array(parents.length)
  if (lines === undefined) return only
  const starts = startsOf(lines.nodes, parents.length)
  for (let node = 0; node < parents.length; node++) {
    const rowCount = starts[node + 1]! - starts[node]!
    if (rowCount === 1) only[node] = lines.lines[starts[node]!]!
  }
  for (const [type, column] of profile.selfValues.entries()) {
    const totals = totalValues(parents, column)
    for (let node = 0; node < parents.length; node++) {
      if (only[node] === 0) continue
      if (difference(totals[node]!, lines.totalValues[type]![starts[node]!]!) !== 0) only[node] = 0
    }
  }
  return only
}

/** Where the rows of each node start, of rows in the order of nodes; with one entry more for their end. */
function startsOf(nodes: Int32Array | undefined, nodeCount: number): Int32Array {
  const starts = new Int32Array(nodeCount + 1)
  if (nodes === undefined) return starts
  for (const node of nodes) starts[node + 1]!++
  for (let node = 0; node < nodeCount; node++) starts[node + 1]! += starts[node]!
  return starts
}

function at(columns: readonly Float64Array[], row: number): number[] {
  return columns.map((column) => column[row]!)
}

function areEqual(one: readonly number[], other: readonly number[]): boolean {
  return one.every((value, type) => difference(value, other[type]!) === 0)
}

/** Of sums of the same numbers in another order, 0. */
function difference(one: number, other: number): number {
  return Math.abs(one - other) <= Math.abs(one) * 1e-9 ? 0 : one - other
}
