import type { Profile } from '../profile.ts'
import type { CallTree } from './call-tree.ts'
import { percentOf } from './format-value.ts'
import { originOf } from './function-origin.ts'

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
  const { names, files } = profile.functions
  const firstNode = isRootLeftOut ? 1 : 0
  const childrenOf = keptChildren(parents, isKept)
  const entries: CallTreeEntry[] = []
  const pending = [{ node: 0, depth: 0 - firstNode }]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { node, depth } = next
    if (depth >= 0) {
      const index = functionIndexes[node]!
      entries.push({
        depth,
        functionName: names[index]!,
        file: files[index]!,
        origin: originOf(profile.functions, index),
        selfValue: self[node]!,
        selfPercent: percentOf(self[node]!, totals[0]!),
        totalValue: totals[node]!,
        totalPercent: percentOf(totals[node]!, totals[0]!),
      })
    }
    const children = childrenOf.get(node) ?? []
    children.sort((a, b) => Math.abs(totals[b]!) - Math.abs(totals[a]!))
    // The last one pushed is the first one listed.
    for (const child of children.toReversed()) pending.push({ node: child, depth: depth + 1 })
  }
  return entries
}

/** Few are kept of many, and so are the nodes above them. */
function keptChildren(parents: Int32Array, isKept: Uint8Array): Map<number, number[]> {
  const children = new Map<number, number[]>()
  for (let node = 1; node < isKept.length; node++) {
    if (isKept[node] === 0) continue
    const siblings = children.get(parents[node]!)
    if (siblings === undefined) children.set(parents[node]!, [node])
    else siblings.push(node)
  }
  return children
}
