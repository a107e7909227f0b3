import { sampleTypeOf, type Profile } from '../profile.ts'
import { listEntries, type CallTreeEntry } from './call-tree-entries.ts'
import { callTreeOf, largestNodes, wholeCallTree } from './call-tree.ts'
import { exactTotals } from './exact-totals.ts'
import { largestFunctions, type FunctionRow } from './top-functions.ts'

/** How many functions the two tables hold. */
const tableLength = 10

export interface FlameGraphSummaryOptions {
  /** The default sample type when absent. */
  sampleTypeIndex?: number
  /** Look only below this function. */
  rootFunctionName?: string
  /** How many levels of the call tree, counted from the root's callees; all when absent. */
  depth?: number
  /** Leave out calls below this share of the root's total; 1 when absent. */
  minPercent?: number
  /** Most entries of the call tree; 25 when absent. */
  maxEntries?: number
}

/** What a flame graph shows, in numbers. Values are in `unit`, percentages of `totalValue`. */
export interface FlameGraphSummary {
  sampleType: string
  unit: string
  /** Of the whole profile, or of the root function. */
  totalValue: number
  /** The full name of the function that was asked for; absent for the whole profile. */
  rootFunctionName?: string
  minPercent: number
  maxEntries: number
  /** The 10 functions with most self value. */
  hotSpots: FunctionRow[]
  /** The 10 functions with most total value. */
  expensiveCalls: FunctionRow[]
  /** Depth first, the more expensive calls first. */
  callTree: CallTreeEntry[]
  /** Whether anything was left out; how much is in `omitted`. */
  truncated: boolean
  omitted: { functions: number; callTreeEntries: number }
}

/**
 * Hot spots, expensive calls and the largest part of the call tree: what a model can read of a flame graph.
 * Throws FunctionNotFoundError for an unknown root, RangeError for an unknown sample type.
 */
export function summarizeFlameGraph(
  profile: Profile,
  options: FlameGraphSummaryOptions = {},
): FlameGraphSummary {
  const { minPercent = 1, maxEntries = 25 } = options
  const { type, unit } = sampleTypeOf(profile, options.sampleTypeIndex)
  const isRooted = options.rootFunctionName !== undefined
  const tree = isRooted
    ? callTreeOf(profile, options.rootFunctionName!, options.sampleTypeIndex)
    : wholeCallTree(profile, options.sampleTypeIndex)
  const totalValue = tree.totals[0]!
  const exact = isRooted ? undefined : exactTotals(profile, options.sampleTypeIndex)

  const largest = (by: 'self' | 'total') =>
    largestFunctions(tree, profile.functions, { by, limit: tableLength, wholeTotal: totalValue, exact })
  const { rows: hottest, rowCount } = largest('self')
  const hotSpots = hottest.filter((row) => row.selfValue !== 0)
  const expensiveCalls = largest('total').rows

  // The root of all stacks is no entry, but takes a place among the largest nodes.
  const rootEntries = isRooted ? 0 : 1
  const { isKept, keptCount, visibleCount } = largestNodes(tree, {
    maxNodes: maxEntries + rootEntries,
    minTotal: (Math.abs(totalValue) * minPercent) / 100,
    maxDepth: options.depth,
  })
  const callTree = listEntries(tree, profile, isKept, !isRooted)
  const omitted = {
    functions: Math.max(0, rowCount - tableLength),
    callTreeEntries: visibleCount - keptCount,
  }
  const summary: FlameGraphSummary = {
    sampleType: type,
    unit,
    totalValue,
    minPercent,
    maxEntries,
    hotSpots,
    expensiveCalls,
    callTree,
    truncated: omitted.functions > 0 || omitted.callTreeEntries > 0,
    omitted,
  }
  if (isRooted) summary.rootFunctionName = profile.functions.names[tree.functionIndexes[0]!]!
  return summary
}
