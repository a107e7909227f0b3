import { subtreeEnds, type Profile } from '../profile.ts'
import { nodeDepths, type CallTree } from './call-tree.ts'
import { percentOf } from './format-value.ts'
import { functionOrigin } from './function-origin.ts'

/** A place in the call tree. `depth` is 0 for the root function, or for the outermost calls without one. */
export interface CallTreeEntry {
  depth: number
  functionName: string
  file: string
  origin: string
  selfValue: number
  selfPercent: number
  totalValue: number
  totalPercent: number
}

/**
 * The kept nodes, depth first, siblings by their totals; percentages are of node 0's. `isRootLeftOut`: node 0 stands for
 * no function, or is not to be listed.
 */
export function listEntries(
  tree: CallTree,
  profile: Profile,
  isKept: Uint8Array,
  isRootLeftOut: boolean,
): CallTreeEntry[] {
  const { parents, functionIndexes, self, totals } = tree
  const firstNode = isRootLeftOut ? 1 : 0
  const depths = nodeDepths(parents)
  const ends = subtreeEnds(parents)
  const entries: CallTreeEntry[] = []
  const pending = [0]
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node >= firstNode) {
      const functionName = profile.functions.names[functionIndexes[node]!]!
      const file = profile.functions.files[functionIndexes[node]!]!
      entries.push({
        depth: depths[node]! - firstNode,
        functionName,
        file,
        origin: functionOrigin(functionName, file, profile.functions.originRules),
        selfValue: self[node]!,
        selfPercent: percentOf(self[node]!, totals[0]!),
        totalValue: totals[node]!,
        totalPercent: percentOf(totals[node]!, totals[0]!),
      })
    }
    const children: number[] = []
    for (let child = node + 1; child < ends[node]!; child = ends[child]!)
      if (isKept[child] === 1) children.push(child)
    children.sort((a, b) => Math.abs(totals[b]!) - Math.abs(totals[a]!))
    // The last one pushed is the first one listed.
    for (const child of children.toReversed()) pending.push(child)
  }
  return entries
}
