import type { Profile } from '../profile.ts'
import { largestAt } from './by-size.ts'
import { percentOf } from './format-value.ts'
import { endsOf } from './kept-columns.ts'
import { filteredCallTree, type StackFilter } from './stack-filter.ts'

/**
 * A piece of the heaviest paths: functions that call each other without a branch. It goes on from the nearest row above with
 * a smaller depth.
 */
export interface HotPathRow {
  depth: number
  /** Outermost first. */
  functionNames: string[]
  /** What the path that ends here has; 0 where none of the heaviest does. */
  selfValue: number
  selfPercent: number
  /** What all of the heaviest paths that come through here have together. */
  totalValue: number
  totalPercent: number
}

/**
 * The heaviest paths from the root to where the value is, beginnings that they share said once:
 *
 *     main;run;parse;read 5       main → run           9
 *     main;run;render 4     ──▶     parse → read       5
 *     main;exit 1                   render             4       (of the 2 heaviest)
 *
 * Percentages are of the whole profile. Throws PatternError and RangeError as `filteredCallTree`.
 */
export function hotPaths(profile: Profile, options: StackFilter & { limit: number }): HotPathRow[] {
  const { tree, wholeTotal } = filteredCallTree(profile, options)
  const { parents, functionIndexes, self } = tree
  const isEnd = new Uint8Array(parents.length)
  for (const node of heaviest(self, options.limit)) isEnd[node] = 1
  const totals = self.map((value, node) => (isEnd[node] === 1 ? value : 0))
  const isKept = isEnd.slice()
  for (let node = parents.length - 1; node > 0; node--) {
    if (isKept[node] === 0) continue
    isKept[parents[node]!] = 1
    totals[parents[node]!]! += totals[node]!
  }

  const ends = endsOf(parents)
  const keptChildren = (node: number) => {
    const children: number[] = []
    for (let child = node + 1; child < ends[node]!; child = ends[child]!)
      if (isKept[child] === 1) children.push(child)
    return children.toSorted((a, b) => Math.abs(totals[b]!) - Math.abs(totals[a]!))
  }
  const rows: HotPathRow[] = []
  const pending = keptChildren(0)
    .toReversed()
    .map((node) => ({ node, depth: 0 }))
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const functionNames: string[] = []
    let { node } = next
    let children = keptChildren(node)
    functionNames.push(profile.functions.names[functionIndexes[node]!]!)
    while (children.length === 1 && isEnd[node] === 0) {
      node = children[0]!
      children = keptChildren(node)
      functionNames.push(profile.functions.names[functionIndexes[node]!]!)
    }
    const selfValue = isEnd[node] === 1 ? self[node]! : 0
    rows.push({
      depth: next.depth,
      functionNames,
      selfValue,
      selfPercent: percentOf(selfValue, wholeTotal),
      totalValue: totals[node]!,
      totalPercent: percentOf(totals[node]!, wholeTotal),
    })
    for (const child of children.toReversed()) pending.push({ node: child, depth: next.depth + 1 })
  }
  return rows
}

/** The nodes with the largest values of their own, without the root of all stacks; of equal ones the first. */
function heaviest(self: Float64Array, limit: number): number[] {
  const sizes = self.map(Math.abs)
  sizes[0] = 0
  const smallest = largestAt(Math.min(limit, sizes.length), sizes)
  const larger: number[] = []
  const equal: number[] = []
  for (let node = 1; node < sizes.length; node++) {
    if (sizes[node]! > smallest) larger.push(node)
    else if (sizes[node] === smallest && smallest > 0 && equal.length < limit) equal.push(node)
  }
  return [...larger, ...equal.slice(0, limit - larger.length)]
}
