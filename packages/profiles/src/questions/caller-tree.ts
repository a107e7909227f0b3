import { CallTreeBuilder } from '../call-tree-builder.ts'
import { totalValues } from '../profile.ts'
import type { CallTree } from './call-tree.ts'

/** A caller tree copies parts of stacks; so it looks at so many frames of each, and grows to so many nodes. */
const callerDepth = 64
const callerNodes = 2 ** 20

/**
 * The tree upside down: each stack from where it has a value outwards.
 *
 *     main;parse;read 2          read 3
 *     main;load;read  1   ──▶      parse 2 ─ main 2
 *                                  load 1 ─ main 1
 *
 * A value is where its stack ends there, at the outermost caller, so totals work as in any tree. The largest
 * values come first; when the tree is full, the rest ends at the last caller that there is.
 */
export function callerTree(
  { parents, functionIndexes }: Pick<CallTree, 'parents' | 'functionIndexes'>,
  /** Of each node; 0 where no stack begins. */
  values: Float64Array,
  options: {
    /** Begins at the callers of the nodes that have a value. */
    withoutStarts?: boolean
    maxDepth?: number
  } = {},
): CallTree {
  const { withoutStarts = false, maxDepth = callerDepth } = options
  const builder = new CallTreeBuilder({ sampleTypeCount: 1, maxNodes: callerNodes + 1 })
  const bySize = Int32Array.from(values.keys())
    .filter((node) => values[node] !== 0)
    .toSorted((a, b) => Math.abs(values[b]!) - Math.abs(values[a]!) || a - b)
  for (const start of bySize) {
    let place = 0
    let node = withoutStarts ? parents[start]! : start
    for (let depth = 0; depth < maxDepth && node !== -1 && functionIndexes[node] !== -1; depth++) {
      if (builder.nodeCount >= callerNodes) break
      place = builder.child(place, functionIndexes[node]!)
      node = parents[node]!
    }
    builder.add(place, 0, values[start]!)
  }
  const { nodes, selfValues } = builder.finish()
  return { ...nodes, self: selfValues[0]!, totals: totalValues(nodes.parents, selfValues[0]!) }
}
