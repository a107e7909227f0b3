import { entriesByKey, type CallGraphColumns, type EntriesByKey } from './call-graph-columns.ts'
import type { PairTable } from './pair-table.ts'
import { strongComponents, type Groups } from './strong-components.ts'

/**
 * What a call graph is, however coarse the tree will be that is made of it: who calls whom, in groups of functions that call each
 * other, most of them of one function. All of it is columns by the number of a function, `function * typeCount + type` where
 * there is a value for each sample type, because a graph has tens of thousands of calls, and is looked at again and again.
 *
 * It is worked out by functions of one loop each: V8 compiles a function anew for each loop in it that turns out to be hot, and a
 * process that reads one file spends more on that than on the loops.
 */
export interface CallGroups {
  /** Edges by caller and by callee, without those of a function to itself; the costliest first. */
  outgoing: EntriesByKey
  incoming: EntriesByKey
  /** Per entry of `incoming`, the caller; -1 when it is of the same group. */
  callers: Int32Array
  /** Per entry of `incoming` and type, the share of it in what its callee was called for by other groups. */
  ratios: Float64Array
  /** Per entry of `incoming`, in the type where that is largest, the share of everything that the callee costs by it. */
  reach: Float64Array
  /** Callers first. */
  groups: Groups
  groupOf: Int32Array
  /** Per type: all self values. */
  whole: Float64Array
  /** Per function and type: its own values with those of its calls; and the share of that in everything. */
  costs: Float64Array
  costShares: Float64Array
  /** Per function and type: its own values with those of its calls to other groups. */
  beyond: Float64Array
  /** Per function and type: what it was called for by other groups, and, where it is a root, as one. */
  called: Float64Array
  /** Per group, the function of which something was not called for by other groups; -1 for none. */
  roots: Int32Array
  /** Per group and type, how much that is. */
  rootCosts: Float64Array
}

/** What a function costs beyond its callers' calls, as a share of everything, and is no matter of rounding. */
const unexplainedShare = 1e-6

export function groupCalls(graph: CallGraphColumns): CallGroups {
  const { edges, functions, typeCount, self } = graph
  const keyCount = functions.length
  const whole = new Float64Array(typeCount)
  for (let index = 0; index < self.length; index++) whole[index % typeCount]! += self[index]!
  const { toOthers, weights } = weighedEdges(graph, whole)
  const outgoing = entriesByKey(toOthers, { keys: edges.firsts, keyCount, weights })
  const incoming = entriesByKey(toOthers, { keys: edges.seconds, keyCount, weights })
  const groups = strongComponents({ starts: outgoing.starts, targets: calleesOf(outgoing, edges) })
  const groupOf = groupNumbers(groups)
  const { all, beyond } = sumsByCaller(graph, outgoing, groupOf)
  const { costs, costShares } = cappedCosts(all, whole)
  const { called, callers } = sumsByCallee(graph, incoming, groupOf)
  const found = { outgoing, incoming, callers, groups, groupOf, whole, costs, costShares, beyond, called }
  const roots = findRoots(graph, found)
  return { ...found, ...roots, ...findRatios(graph, found) }
}

/** Whether a function calls itself by way of others. */
export function isInCircle({ groups, groupOf }: CallGroups, callee: number): boolean {
  const group = groupOf[callee]!
  return groups.starts[group + 1]! - groups.starts[group]! > 1
}

/** Of 0 it is 0. */
export function shareOf(value: number, whole: number): number {
  return whole === 0 ? 0 : value / whole
}

/**
 * Edges of functions to others, and of each edge the negative of its share of everything, in the type where that is largest: so
 * that the costliest come first.
 */
function weighedEdges(
  { edges, typeCount }: CallGraphColumns,
  whole: Float64Array,
): { toOthers: Int32Array; weights: Float64Array } {
  const { firsts, seconds, values, valueWidth } = edges
  const toOthers = new Int32Array(edges.count)
  const weights = new Float64Array(edges.count)
  let count = 0
  // The first entry of a table stands for nothing.
  for (let edge = 1; edge < edges.count; edge++) {
    if (firsts[edge] === seconds[edge]) continue
    toOthers[count++] = edge
    for (let type = 0; type < typeCount; type++) {
      const share = shareOf(values[edge * valueWidth + type]!, whole[type]!)
      if (-share < weights[edge]!) weights[edge] = -share
    }
  }
  return { toOthers: toOthers.subarray(0, count), weights }
}

function calleesOf({ entries }: EntriesByKey, { seconds }: PairTable): Int32Array {
  const callees = new Int32Array(entries.length)
  for (let index = 0; index < entries.length; index++) callees[index] = seconds[entries[index]!]!
  return callees
}

function groupNumbers({ starts, members }: Groups): Int32Array {
  const groupOf = new Int32Array(members.length)
  for (let group = 0; group < starts.length - 1; group++)
    for (let at = starts[group]!; at < starts[group + 1]!; at++) groupOf[members[at]!] = group
  return groupOf
}

/** Per function and type, its own values with those of its calls: of all of them, and of those to other groups. */
function sumsByCaller(
  { edges, self, typeCount }: CallGraphColumns,
  { entries }: EntriesByKey,
  groupOf: Int32Array,
): { all: Float64Array; beyond: Float64Array } {
  const { firsts, seconds, values, valueWidth } = edges
  const all = self.slice()
  const beyond = self.slice()
  for (let index = 0; index < entries.length; index++) {
    const edge = entries[index]!
    const caller = firsts[edge]!
    const isBeyond = groupOf[caller] !== groupOf[seconds[edge]!]
    for (let type = 0; type < typeCount; type++) {
      const value = values[edge * valueWidth + type]!
      all[caller * typeCount + type]! += value
      if (isBeyond) beyond[caller * typeCount + type]! += value
    }
  }
  return { all, beyond }
}

function sumsByCallee(
  { edges, self, typeCount }: CallGraphColumns,
  { entries }: EntriesByKey,
  groupOf: Int32Array,
): Pick<CallGroups, 'called' | 'callers'> {
  const { firsts, seconds, values, valueWidth } = edges
  const called = new Float64Array(self.length)
  const callers = new Int32Array(entries.length)
  for (let index = 0; index < entries.length; index++) {
    const edge = entries[index]!
    const callee = seconds[edge]!
    const isBeyond = groupOf[callee] !== groupOf[firsts[edge]!]
    callers[index] = isBeyond ? firsts[edge]! : -1
    if (!isBeyond) continue
    for (let type = 0; type < typeCount; type++)
      called[callee * typeCount + type]! += values[edge * valueWidth + type]!
  }
  return { called, callers }
}

/** Functions that call each other are counted again and again, so nothing costs more than everything. */
function cappedCosts(all: Float64Array, whole: Float64Array): Pick<CallGroups, 'costs' | 'costShares'> {
  const costs = new Float64Array(all.length)
  const costShares = new Float64Array(all.length)
  for (let index = 0; index < all.length; index++) {
    const most = whole[index % whole.length]!
    costs[index] = Math.min(all[index]!, most)
    costShares[index] = shareOf(costs[index]!, most)
  }
  return { costs, costShares }
}

/** Also adds what they cost to what they were called for. */
function findRoots(
  { typeCount, outsideCalls }: CallGraphColumns,
  calls: Pick<CallGroups, 'incoming' | 'callers' | 'groups' | 'whole' | 'costs' | 'beyond' | 'called'>,
): Pick<CallGroups, 'roots' | 'rootCosts'> {
  const { groups, whole, costs, beyond, called } = calls
  const groupCount = groups.starts.length - 1
  const roots = new Int32Array(groupCount).fill(-1)
  const rootCosts = new Float64Array(groupCount * typeCount)
  for (let group = 0; group < groupCount; group++) {
    const [start, end] = [groups.starts[group]!, groups.starts[group + 1]!]
    let isMore = false
    for (let type = 0; type < typeCount; type++) {
      let cost = 0
      for (let at = start; at < end; at++) {
        const index = groups.members[at]! * typeCount + type
        cost += beyond[index]! - called[index]!
      }
      if (cost > unexplainedShare * whole[type]!) isMore = true
      rootCosts[group * typeCount + type] = Math.max(0, cost)
    }
    if (!isMore && isCalled(calls, start, end)) continue
    // Of a group that nobody calls: who was called from outside, or else costs most.
    let root = groups.members[start]!
    for (let at = start + 1; at < end; at++) {
      const member = groups.members[at]!
      const more =
        outsideCalls[member]! - outsideCalls[root]! || costs[member * typeCount]! - costs[root * typeCount]!
      if (more > 0) root = member
    }
    roots[group] = root
    for (let type = 0; type < typeCount; type++)
      called[root * typeCount + type]! += rootCosts[group * typeCount + type]!
  }
  return { roots, rootCosts }
}

/** Whether another group calls one of the members from `start` to before `end`. */
function isCalled(
  { incoming, callers, groups }: Pick<CallGroups, 'incoming' | 'callers' | 'groups'>,
  start: number,
  end: number,
): boolean {
  for (let at = start; at < end; at++) {
    const member = groups.members[at]!
    for (let index = incoming.starts[member]!; index < incoming.starts[member + 1]!; index++)
      if (callers[index]! >= 0) return true
  }
  return false
}

function findRatios(
  { edges, typeCount }: CallGraphColumns,
  {
    incoming,
    callers,
    costShares,
    called,
  }: Pick<CallGroups, 'incoming' | 'callers' | 'costShares' | 'called'>,
): Pick<CallGroups, 'ratios' | 'reach'> {
  const { seconds, values, valueWidth } = edges
  const ratios = new Float64Array(callers.length * typeCount)
  const reach = new Float64Array(callers.length)
  for (let index = 0; index < callers.length; index++) {
    if (callers[index]! < 0) continue
    const edge = incoming.entries[index]!
    for (let type = 0; type < typeCount; type++) {
      const at = seconds[edge]! * typeCount + type
      const ratio = shareOf(values[edge * valueWidth + type]!, called[at]!)
      ratios[index * typeCount + type] = ratio
      reach[index] = Math.max(reach[index]!, ratio * costShares[at]!)
    }
  }
  return { ratios, reach }
}
