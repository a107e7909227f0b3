import { CallTreeBuilder } from '../call-tree-builder.ts'
import { selfValuesOf, totalValues, type CallTreeNodes, type Profile } from '../profile.ts'
import { largestAt } from './by-size.ts'
import { findFunction } from './find-function.ts'
import { depthsOf, endsOf, keptWith } from './kept-columns.ts'
import { callsOf, outermostOf } from './outermost-calls.ts'

/**
 * One value of a call tree with its totals, ready for questions; nodes as in `Profile.nodes`. Node 0 is the root
 * of all stacks, or the function that was asked for.
 */
export interface CallTree {
  parents: Int32Array
  functionIndexes: Int32Array
  lines: Int32Array
  calls?: Float64Array
  self: Float64Array
  totals: Float64Array
}

/** The whole tree for one sample type, kept for other questions; throws RangeError when there is no such sample type. */
export function wholeCallTree(profile: Profile, sampleTypeIndex?: number): CallTree {
  return treesOf(profile.nodes)(selfValuesOf(profile, sampleTypeIndex))
}

const treesOf = keptWith(({ parents, functionIndexes, lines, calls }: CallTreeNodes) =>
  keptWith((self: Float64Array): CallTree => {
    return { parents, functionIndexes, lines, calls, self, totals: totalValues(parents, self) }
  }),
)

/**
 * All that a function called, merged over everywhere it was called from. Where it calls itself, that is below
 * its outermost call, so nothing counts twice:
 *
 *     main 9                    parse 7
 *       parse 4      parse        read 3
 *         read 2     ─────▶       parse 2
 *         parse 2
 *       load 3
 *         parse 3
 *           read 1
 *
 * Throws FunctionNotFoundError when the name means no function.
 */
export function callTreeOf(profile: Profile, functionName: string, sampleTypeIndex?: number): CallTree {
  const roots = findFunction(profile, functionName)
  const { parents, functionIndexes, lines, calls } = profile.nodes
  const self = selfValuesOf(profile, sampleTypeIndex)
  const ends = endsOf(parents)
  const builder = new CallTreeBuilder({ sampleTypeCount: 1, countsCalls: calls !== undefined })
  const merged = new Int32Array(parents.length)
  for (const root of outermostOf(callsOf(functionIndexes, roots), parents)) {
    const end = ends[root]!
    for (let node = root; node < end; node++) {
      const place =
        node === root ? 0 : builder.child(merged[parents[node]!]!, functionIndexes[node]!, lines[node])
      merged[node] = place
      builder.add(place, 0, self[node]!)
      if (calls) builder.addCalls(place, calls[node]!)
    }
  }
  const { nodes, selfValues } = builder.finish()
  nodes.functionIndexes[0] = roots[0] ?? -1
  return { ...nodes, self: selfValues[0]!, totals: totalValues(nodes.parents, selfValues[0]!) }
}

/**
 * Marks the nodes with the largest totals, at most `maxNodes`, of at least `minTotal`, and of at most `maxDepth`.
 * The parents of marked nodes are marked, so what is left is a tree: no node counts for more than its parent does.
 * `visibleCount` is how many nodes there are to see: those without a total are not.
 */
export function largestNodes(
  tree: Pick<CallTree, 'parents' | 'totals'>,
  limit: { maxNodes: number; minTotal: number; maxDepth?: number },
): { isKept: Uint8Array; keptCount: number; visibleCount: number } {
  const { parents, totals } = tree
  const depths = limit.maxDepth === undefined ? undefined : depthsOf(parents)
  const weights = new Float64Array(parents.length)
  weights[0] = Infinity
  let candidateCount = 1
  let visibleCount = 1
  for (let node = 1; node < parents.length; node++) {
    if (totals[node] !== 0) visibleCount++
    const weight = Math.min(weights[parents[node]!]!, Math.abs(totals[node]!))
    const isCandidate = weight > 0 && weight >= limit.minTotal && !(depths && depths[node]! > limit.maxDepth!)
    weights[node] = isCandidate ? weight : 0
    if (isCandidate) candidateCount++
  }

  const isKept = new Uint8Array(parents.length)
  const keptCount = Math.min(candidateCount, limit.maxNodes)
  // The smallest weight that is kept; nodes of just that weight are kept in order while there is room.
  const smallest = candidateCount <= limit.maxNodes ? 0 : largestAt(limit.maxNodes, weights)
  let largerCount = 0
  for (let node = 0; node < weights.length; node++) if (weights[node]! > smallest) largerCount++
  let room = keptCount - largerCount
  for (let node = 0; node < parents.length; node++) {
    const weight = weights[node]!
    if (weight > smallest) isKept[node] = 1
    else if (weight === smallest && weight > 0 && room > 0) {
      isKept[node] = 1
      room--
    }
  }
  return { isKept, keptCount, visibleCount }
}
