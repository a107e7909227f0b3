import { sampleTypeOf, type Profile } from '../profile.ts'
import { listEntries, type CallTreeEntry } from './call-tree-entries.ts'
import { callTreeOf, largestNodes, wholeCallTree, type CallTree } from './call-tree.ts'
import { callerTree } from './caller-tree.ts'
import { bestTotalOf, exactTotals } from './exact-totals.ts'
import { findFunction } from './find-function.ts'
import { percentOf } from './format-value.ts'
import { callsOf, outermostOf } from './outermost-calls.ts'

export interface SandwichOptions {
  /** The default sample type when absent. */
  sampleTypeIndex?: number
  /** How many levels to either side; 10 when absent. */
  depth?: number
  /** Leave out calls below this share of the function's total; 1 when absent. */
  minPercent?: number
  /** Most entries of either side; 25 when absent. */
  maxEntries?: number
}

/** A function between those who call it and those whom it calls. Values are in `unit`. */
export interface Sandwich {
  /** Its full name. */
  functionName: string
  sampleType: string
  unit: string
  selfValue: number
  totalValue: number
  /** Of the whole profile. */
  selfPercent: number
  totalPercent: number
  /** Depth 0 calls the function, depth 1 calls those, …; shares of the function's total. Self is what nobody further out called. */
  callers: CallTreeEntry[]
  /** Depth 0 is called by the function; shares of the function's total. */
  callees: CallTreeEntry[]
  omitted: { callers: number; callees: number }
}

/**
 * Callers and callees of a function as two merged trees. Where it calls itself, that is below its outermost call: each
 * stack counts once, on either side.
 *
 *     main;parse;read 2     callers of parse     callees of parse
 *     main;parse;parse 1      main 4               read 3
 *     main;load;parse;read 1  load 1 ─ main 1      parse 1
 *
 * Where only a tree was made of a call graph, callers and callees are shares of what the tree has of the function: its own total may
 * be known better.
 *
 * Throws FunctionNotFoundError when the name means no function, RangeError for an unknown sample type.
 */
export function sandwich(profile: Profile, functionName: string, options: SandwichOptions = {}): Sandwich {
  const { sampleTypeIndex, depth = 10, minPercent = 1, maxEntries = 25 } = options
  const { type, unit } = sampleTypeOf(profile, sampleTypeIndex)
  const whole = wholeCallTree(profile, sampleTypeIndex)
  const found = findFunction(profile, functionName)
  const calls = callsOf(whole.functionIndexes, found)
  const callees = callTreeOf(profile, functionName, sampleTypeIndex)
  const callers = callerTree(whole, whole.totals, {
    callersOf: outermostOf(calls, whole.parents).filter((node) => whole.totals[node] !== 0),
    maxDepth: depth,
  })

  const side = (tree: CallTree) => {
    const { isKept, keptCount, visibleCount } = largestNodes(tree, {
      // Node 0 is the function itself.
      maxNodes: maxEntries + 1,
      minTotal: (Math.abs(tree.totals[0]!) * minPercent) / 100,
      maxDepth: depth,
    })
    return { entries: listEntries(tree, profile, isKept, true), omitted: visibleCount - keptCount }
  }
  const [above, below] = [side(callers), side(callees)]
  const totalValue = bestTotalOf(found, callees.totals[0]!, exactTotals(profile, sampleTypeIndex))
  const selfValue = calls.reduce((sum, node) => sum + whole.self[node]!, 0)
  return {
    functionName: profile.functions.names[callees.functionIndexes[0]!] ?? functionName,
    sampleType: type,
    unit,
    selfValue,
    totalValue,
    selfPercent: percentOf(selfValue, whole.totals[0]!),
    totalPercent: percentOf(totalValue, whole.totals[0]!),
    callers: above.entries,
    callees: below.entries,
    omitted: { callers: above.omitted, callees: below.omitted },
  }
}
