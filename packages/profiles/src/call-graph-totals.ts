import type { CallGraphColumns } from './call-graph-columns.ts'
import { isInCircle, type CallGroups } from './call-graph-groups.ts'
import type { Places } from './call-graph-places.ts'
import type { FunctionTotals } from './profile.ts'

/**
 * What functions cost with all that they called, by their number in the graph, however coarse the tree is that is made of it: what
 * the file says, or else what a function has itself and what its calls of others cost. In circles calls are counted again and
 * again, so that there only what the file says is known.
 */
export function graphTotals(graph: CallGraphColumns, calls: CallGroups): FunctionTotals {
  const { functions, self, typeCount, inclusive, inclusiveCounts } = graph
  const costs = costsOf(graph)
  const isKnown = new Uint8Array(functions.length)
  const values = Array.from({ length: typeCount }, () => new Float64Array(functions.length))
  for (let local = 0; local < functions.length; local++) {
    const told = inclusiveCounts[local] === 1 ? inclusive[local] : undefined
    if (told === undefined && isInCircle(calls, local)) continue
    isKnown[local] = 1
    for (let type = 0; type < typeCount; type++) {
      const at = local * typeCount + type
      values[type]![local] = told === undefined ? costs[at]! : Math.max(self[at]!, told[type]!)
    }
  }
  return { isKnown, values }
}

/** Per function and type, its own values with those of its calls of others, however much that is. */
function costsOf({ self, edges, typeCount }: CallGraphColumns): Float64Array {
  const { firsts, seconds, values, valueWidth } = edges
  const costs = self.slice()
  for (let edge = 1; edge < edges.count; edge++) {
    if (firsts[edge] === seconds[edge]) continue
    const start = firsts[edge]! * typeCount
    for (let type = 0; type < typeCount; type++) costs[start + type]! += values[edge * valueWidth + type]!
  }
  return costs
}

/**
 * How far the totals of a tree are from those of its graph, in one sample type; of several graphs, added up.
 *
 * They are worked out, not known, within and below circles. Elsewhere a graph tells what a function costs with all that it called,
 * and they are the same but for calls that got no node of their own.
 */
export class TreeTotals {
  private readonly type: number
  /** All self values. */
  private whole = 0
  /** Of these, what is in or below circles. */
  private inCircles = 0
  private readonly circular = new Set<number>()
  /** Per function, by its index in the builder: its total in the tree less that of the graph. */
  private readonly differences = new Map<number, number>()

  constructor(sampleTypeIndex: number) {
    this.type = sampleTypeIndex
  }

  add({ functions, self, typeCount }: CallGraphColumns, calls: CallGroups, places: Places): void {
    const { type } = this
    const whole = calls.whole[type]!
    this.whole += whole
    const totals = new Float64Array(places.count)
    const isBelowCircle = new Uint8Array(places.count)
    for (let place = 0; place < places.count; place++) {
      const callee = places.functions[place]!
      const parent = places.parents[place]!
      totals[place] = self[callee * typeCount + type]! * places.shares[place * typeCount + type]!
      if (isInCircle(calls, callee) || (parent >= 0 && isBelowCircle[parent] === 1)) {
        isBelowCircle[place] = 1
        this.inCircles += totals[place]!
      }
    }
    const differences = new Float64Array(functions.length)
    for (let place = places.count - 1; place >= 0; place--) {
      const parent = places.parents[place]!
      differences[places.functions[place]!]! += totals[place]!
      if (parent >= 0) totals[parent]! += totals[place]!
    }
    for (let local = 0; local < functions.length; local++) {
      const index = functions[local]!
      if (isInCircle(calls, local)) {
        this.circular.add(index)
        continue
      }
      const difference = differences[local]! - calls.costShares[local * typeCount + type]! * whole
      if (Math.abs(difference) > 1e-6 * whole)
        this.differences.set(index, (this.differences.get(index) ?? 0) + difference)
    }
  }

  /** Functions that call each other, and the share of everything that is in or below their circles. */
  circles(): { functionCount: number; share: number } {
    return { functionCount: this.circular.size, share: this.whole === 0 ? 0 : this.inCircles / this.whole }
  }

  /** Other functions whose totals are off by more than a share of everything, and by which share they are at most. */
  offBy(leastShare: number): { functionCount: number; share: number } {
    const off = { functionCount: 0, share: 0 }
    for (const [index, difference] of this.differences) {
      const share = Math.abs(difference) / this.whole
      if (share <= leastShare || this.circular.has(index)) continue
      off.functionCount++
      off.share = Math.max(off.share, share)
    }
    return off
  }
}
