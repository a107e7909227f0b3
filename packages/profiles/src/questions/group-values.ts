import type { CallTree } from './call-tree.ts'
import { endsOf } from './kept-columns.ts'

/** What groups of functions have; entry `i` is about group `i`. */
export interface GroupValues {
  self: Float64Array
  /** With all that was called from there; a stack that meets a group twice counts once. */
  totals: Float64Array
}

/** The values of groups of functions, in one pass. `groupOf` has the group of each function, -1 for none. */
export function valuesOfGroups(
  tree: Pick<CallTree, 'parents' | 'functionIndexes' | 'self' | 'totals'>,
  groupOf: Int32Array,
  groupCount: number,
): GroupValues {
  const { parents, functionIndexes } = tree
  const self = new Float64Array(groupCount)
  const totals = new Float64Array(groupCount)
  // Nodes before this one are within the outermost call of the group that is open.
  const outermostEnds = new Int32Array(groupCount)
  const ends = endsOf(parents)
  for (let node = 1; node < parents.length; node++) {
    const group = groupOf[functionIndexes[node]!]!
    if (group < 0) continue
    self[group]! += tree.self[node]!
    if (node < outermostEnds[group]!) continue
    outermostEnds[group] = ends[node]!
    totals[group]! += tree.totals[node]!
  }
  return { self, totals }
}

/** What stacks through any of the functions have: the total of all of them together. */
export function coveredValue(
  tree: Pick<CallTree, 'parents' | 'functionIndexes' | 'self' | 'totals'>,
  isMatching: Uint8Array,
): number {
  const groupOf = Int32Array.from(isMatching, (matches) => matches - 1)
  return valuesOfGroups(tree, groupOf, 1).totals[0]!
}
