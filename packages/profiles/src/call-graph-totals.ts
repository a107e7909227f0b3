import type { CallGraphColumns } from './call-graph-columns.ts'
import { isInCircle, type CallGroups } from './call-graph-groups.ts'
import type { Places } from './call-graph-places.ts'

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
