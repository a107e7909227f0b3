import { sampleTypeOf, selfValuesOf, totalValues } from '../profile.ts'
import type { CallTreeNodes, FunctionTable, Profile } from '../profile.ts'
import { formatValue } from '../questions/format-value.ts'
import { originsOf } from '../questions/function-origin.ts'
import type { DifferentialFlameGraph } from '../several/differential-flame-graph.ts'

/** A call tree to be drawn; nodes as in `Profile.nodes`. */
export interface DrawnTree {
  functions: Pick<FunctionTable, 'names' | 'files' | 'startLines'>
  /** Of each function, as `functionOrigin` tells it; undefined where they come from nowhere, and colours tell names apart. */
  origins: readonly string[] | undefined
  nodes: Pick<CallTreeNodes, 'parents' | 'functionIndexes'>
  /** Of each node, with what it called. */
  self: Float64Array
  totals: Float64Array
  /** With these the colours are those of a difference, and a box is as wide as both sides together. */
  before?: { self: Float64Array; totals: Float64Array }
  unit: string
}

/** A tree, and what stands above it. */
export interface FlameDrawing {
  tree: DrawnTree
  title: string
  facts: readonly string[]
}

/** One value of a profile. */
export function drawingOfProfile(
  profile: Profile,
  options: { name: string; sampleTypeIndex?: number },
): FlameDrawing {
  const { type, unit } = sampleTypeOf(profile, options.sampleTypeIndex)
  const self = selfValuesOf(profile, options.sampleTypeIndex)
  const totals = totalValues(profile.nodes.parents, self)
  const { functions, nodes, format } = profile
  const areClasses = format === 'heapsnapshot'
  return {
    tree: { functions, origins: areClasses ? undefined : originsOf(functions), nodes, self, totals, unit },
    title: options.name,
    facts: [type, `${formatValue(totals[0]!, unit)} in all`, format],
  }
}

/** Both sides of a comparison as one tree. */
export function drawingOfDifference(
  { functions, nodes }: DifferentialFlameGraph,
  { unit, ...words }: { title: string; facts: readonly string[]; unit: string },
): FlameDrawing {
  return {
    ...words,
    tree: {
      functions: {
        names: functions.map(({ name }) => name),
        files: functions.map(({ file }) => file),
        startLines: new Int32Array(functions.length),
      },
      origins: functions.map(({ origin }) => origin),
      nodes: { parents: Int32Array.from(nodes.parent), functionIndexes: Int32Array.from(nodes.function) },
      self: Float64Array.from(nodes.headSelf),
      totals: Float64Array.from(nodes.headTotal),
      before: { self: Float64Array.from(nodes.baseSelf), totals: Float64Array.from(nodes.baseTotal) },
      unit,
    },
  }
}
