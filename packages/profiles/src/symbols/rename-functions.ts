import { CallTreeBuilder } from '../call-tree-builder.ts'
import { FunctionInterner } from '../function-interner.ts'
import type { LabelledValues, LineValues, ProfileDetail } from '../profile-detail.ts'
import { selfValuesOf, type FunctionTotals, type ImportedProfile } from '../profile.ts'
import { sortedRows } from '../sorted-rows.ts'

/**
 * The profile with other names of its functions, one for each. Functions that have the same name, file and start line
 * afterwards are one, and so are siblings in the tree that are of it: what they have is added up, also by label, by time and
 * by line.
 */
export function renameFunctions(profile: ImportedProfile, names: readonly string[]): ImportedProfile {
  const functions = new FunctionInterner()
  const { files, startLines } = profile.functions
  const newIndexes = Int32Array.from(names, (name, index) =>
    functions.intern(name, files[index], startLines[index]),
  )
  const renamed = { ...profile, functions: functions.finish() }
  return renamed.functions.names.length === names.length ? renamed : mergeSiblings(renamed, newIndexes)
}

/** Of functions that became one it is not known what they called each other for. */
function movedTotals(
  { isKnown, values }: FunctionTotals,
  newIndexes: Int32Array,
  count: number,
): FunctionTotals {
  const having = new Int32Array(count)
  for (const index of newIndexes) having[index]!++
  const moved = new Uint8Array(count)
  const columns = values.map(() => new Float64Array(count))
  for (const [from, to] of newIndexes.entries()) {
    if (isKnown[from] === 0 || having[to] !== 1) continue
    moved[to] = 1
    for (const [type, column] of columns.entries()) column[to] = values[type]![from]!
  }
  return { isKnown: moved, values: columns }
}

function mergeSiblings(profile: ImportedProfile, newIndexes: Int32Array): ImportedProfile {
  const { functions, functionTotals } = profile
  const { parents, functionIndexes, lines, calls } = profile.nodes
  const columns = profile.sampleTypes.map((_, type) => selfValuesOf(profile, type))
  const builder = new CallTreeBuilder({
    sampleTypeCount: columns.length,
    maxNodes: parents.length,
    format: profile.format,
    countsCalls: calls !== undefined,
  })
  const places = new Int32Array(parents.length)
  for (let node = 0; node < places.length; node++) {
    if (node > 0) {
      const functionIndex = newIndexes[functionIndexes[node]!]!
      places[node] = builder.child(places[parents[node]!]!, functionIndex, lines[node])
    }
    for (const [type, column] of columns.entries()) builder.add(places[node]!, type, column[node]!)
    if (calls !== undefined) builder.addCalls(places[node]!, calls[node]!)
  }
  const { nodes, selfValues, positions } = builder.finish()
  const placeOf = (node: number) => positions[places[node]!]!
  return {
    ...profile,
    nodes,
    selfValues,
    ...(functionTotals === undefined
      ? {}
      : { functionTotals: movedTotals(functionTotals, newIndexes, functions.names.length) }),
    ...(profile.detail === undefined ? {} : { detail: movedDetail(profile.detail, placeOf) }),
  }
}

function movedDetail(
  { labelSets, labelled, timeline, lines }: ProfileDetail,
  placeOf: (node: number) => number,
): ProfileDetail {
  return {
    labelSets,
    ...(labelled === undefined ? {} : { labelled: movedLabels(labelled, placeOf) }),
    ...(timeline === undefined ? {} : { timeline: { ...timeline, nodes: timeline.nodes.map(placeOf) } }),
    ...(lines === undefined ? {} : { lines: movedLines(lines, placeOf) }),
  }
}

function movedLabels(
  { nodes, labelSetIndexes, values }: LabelledValues,
  placeOf: (node: number) => number,
): LabelledValues {
  const rows = movedRows(nodes.map(placeOf), labelSetIndexes, values)
  return { nodes: rows.firsts, labelSetIndexes: rows.seconds, values: rows.columns }
}

function movedLines(
  { nodes, lines, selfValues, totalValues }: LineValues,
  placeOf: (node: number) => number,
): LineValues {
  const { firsts, seconds, columns } = movedRows(nodes.map(placeOf), lines, [...selfValues, ...totalValues])
  return {
    nodes: firsts,
    lines: seconds,
    selfValues: columns.slice(0, selfValues.length),
    totalValues: columns.slice(selfValues.length),
  }
}

function movedRows(firsts: Int32Array, seconds: Int32Array, columns: readonly Float64Array[]) {
  const width = columns.length
  const values = new Float64Array(firsts.length * width)
  for (const [column, from] of columns.entries())
    for (let row = 0; row < firsts.length; row++) values[row * width + column] = from[row]!
  return sortedRows({ firsts, seconds, values, width })
}
