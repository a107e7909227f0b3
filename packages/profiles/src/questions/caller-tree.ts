import { CallTreeBuilder } from '../call-tree-builder.ts'
import { totalValues } from '../profile.ts'
import { indexesBySize, orderedBySize } from './by-size.ts'
import type { CallTree } from './call-tree.ts'
import { formatPercent, formatValue, percentOf } from './format-value.ts'

/** A caller tree copies parts of stacks; so it looks at so many frames of each, and grows to so many nodes. */
const callerDepth = 64
const callerNodes = 2 ** 20

export interface CallerTree extends CallTree {
  /** What is at node 0 without any caller, as the tree was full. */
  cutValue: number
  /** What is in stacks of more frames than are looked at, and so ends at an inner one. */
  deepValue: number
}

/** What to say of a tree that does not show all; null where there is nothing to say. */
export function noteOnCut(
  { cutValue = 0, deepValue = 0, totals }: Partial<CallerTree>,
  unit: string,
): string | null {
  const shareOf = (value: number) => formatPercent(percentOf(value, Math.abs(totals?.[0] ?? 0)))
  const notes = []
  if (cutValue > 0) {
    notes.push(
      `Callers below callees there is room for ${callerNodes.toLocaleString('en')} frames: what did not fit, ` +
        `${formatValue(cutValue, unit)} (${shareOf(cutValue)}), has none. Look below a function, or at fewer samples.`,
    )
  }
  if (deepValue > 0) {
    notes.push(
      `Of deep stacks, the inner ${callerDepth} frames are shown: ${formatValue(deepValue, unit)} ` +
        `(${shareOf(deepValue)}) has callers further out.`,
    )
  }
  return notes.length === 0 ? null : notes.join(' ')
}

/**
 * The tree upside down: each stack from where it has a value outwards.
 *
 *     main;parse;read 2          read 3
 *     main;load;read  1   ──▶      parse 2 ─ main 2
 *                                  load 1 ─ main 1
 *
 * A value is where its stack ends there, at the outermost caller, so totals work as in any tree. The largest
 * values come first; when the tree is full, the rest is left at node 0, and added up.
 */
export function callerTree(
  { parents, functionIndexes }: Pick<CallTree, 'parents' | 'functionIndexes'>,
  /** Of each node. */
  values: Float64Array,
  options: {
    /** Begins at the callers of only these nodes, which rise; else at every node that has a value. */
    callersOf?: Int32Array
    maxDepth?: number
  } = {},
): CallerTree {
  const { callersOf, maxDepth = callerDepth } = options
  const starts = callersOf === undefined ? indexesBySize(values) : orderedBySize(callersOf, values)
  const builder = new CallTreeBuilder({ sampleTypeCount: 1, maxNodes: callerNodes + 1 })
  let cutValue = 0
  let deepValue = 0
  for (const start of starts) {
    if (builder.nodeCount >= callerNodes) cutValue += Math.abs(values[start]!)
    let place = 0
    let node = callersOf === undefined ? start : parents[start]!
    for (let depth = 0; node !== -1 && functionIndexes[node] !== -1; depth++) {
      if (builder.nodeCount >= callerNodes) break
      if (depth === maxDepth) {
        deepValue += Math.abs(values[start]!)
        break
      }
      place = builder.child(place, functionIndexes[node]!)
      node = parents[node]!
    }
    builder.add(place, 0, values[start]!)
  }
  const { nodes, selfValues } = builder.finish()
  const self = selfValues[0]!
  return { ...nodes, self, totals: totalValues(nodes.parents, self), cutValue, deepValue }
}
