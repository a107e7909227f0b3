import type { FunctionTable, Profile } from '../profile.ts'
import { largestAt } from './by-size.ts'
import type { CallTree } from './call-tree.ts'
import { bestTotals, type ExactTotals } from './exact-totals.ts'
import { percentOf } from './format-value.ts'
import { originOf } from './function-origin.ts'
import { endsOf, keptWith } from './kept-columns.ts'
import { filteredCallTree, type StackFilter } from './stack-filter.ts'

/** A function with its values over the whole tree, in the unit of the sample type. */
export interface FunctionRow {
  functionName: string
  file: string
  /** Line where it starts, or, when the format does not tell, its line with most self value; 0 for none. */
  line: number
  origin: string
  /** How often it was called; only where the format counts calls. */
  calls?: number
  selfValue: number
  selfPercent: number
  /** With all it called; when it calls itself, that counts once. */
  totalValue: number
  totalPercent: number
}

export interface TopFunctionsOptions extends StackFilter {
  by: 'self' | 'total'
  limit: number
}

/**
 * The functions with the largest values, as `go tool pprof -top` and `-top -cum` give them: percentages are of
 * the whole profile, also with `focus` and `ignore`. Throws PatternError for a pattern that cannot be read.
 */
export function topFunctions(profile: Profile, options: TopFunctionsOptions): FunctionRow[] {
  const { tree, ...whole } = filteredCallTree(profile, options)
  return largestFunctions(tree, profile.functions, { ...options, ...whole }).rows
}

/** The largest functions of a tree, then by name, and how many have a value. Percentages are of `wholeTotal`. */
export function largestFunctions(
  tree: CallTree,
  functions: FunctionTable,
  options: {
    by: 'self' | 'total'
    limit: number
    wholeTotal: number
    /** Of the same stacks as the tree. */
    exact?: ExactTotals | undefined
    /** 1 for each function to give; all when absent. */
    isWanted?: Uint8Array
  },
): { rows: FunctionRow[]; rowCount: number } {
  const { by, limit, wholeTotal, exact, isWanted } = options
  const { self, totals: totalsOfTree, hottestLines, calls } = functionColumns(tree, functions)
  const totals = bestTotals(totalsOfTree, exact)
  const [first, second] = by === 'self' ? [self, totals] : [totals, self]
  const sizes = new Float64Array(self.length)
  const present: number[] = []
  for (let index = 0; index < self.length; index++) {
    if ((self[index] === 0 && totals[index] === 0) || isWanted?.[index] === 0) continue
    sizes[index] = Math.abs(first[index]!)
    present.push(index)
  }
  // Hundreds are shown of thousands, so that only those are put in order that may be among them.
  const smallest = limit < present.length ? largestAt(limit, sizes) : 0
  const rows = present
    .filter((index) => sizes[index]! >= smallest)
    .toSorted(
      (a, b) =>
        sizes[b]! - sizes[a]! ||
        Math.abs(second[b]!) - Math.abs(second[a]!) ||
        (functions.names[a]! < functions.names[b]! ? -1 : 1),
    )
    .slice(0, limit)
    .map((index): FunctionRow => ({
      functionName: functions.names[index]!,
      file: functions.files[index]!,
      line: functions.startLines[index]! || hottestLines[index]!,
      selfValue: self[index]!,
      selfPercent: percentOf(self[index]!, wholeTotal),
      totalValue: totals[index]!,
      totalPercent: percentOf(totals[index]!, wholeTotal),
      ...(calls === undefined ? {} : { calls: calls[index]! }),
      origin: originOf(functions, index),
    }))
  return { rows, rowCount: present.length }
}

/** What each function has in a tree. */
interface FunctionColumns {
  self: Float64Array
  totals: Float64Array
  calls?: Float64Array
  /** The line with most self value; 0 for none. */
  hottestLines: Int32Array
}

function functionColumns(tree: CallTree, { names }: FunctionTable): FunctionColumns {
  return columnsOf(tree)(names)
}

/** In one pass: the order of nodes tells which calls are within the function itself. */
const columnsOf = keptWith((tree: CallTree) =>
  keptWith(({ length }: readonly string[]): FunctionColumns => {
    const { parents, functionIndexes, lines, calls, self, totals } = tree
    const columns: FunctionColumns = {
      self: new Float64Array(length),
      totals: new Float64Array(length),
      hottestLines: new Int32Array(length),
      ...(calls === undefined ? {} : { calls: new Float64Array(length) }),
    }
    const hottestSelf = new Float64Array(length)
    // Nodes before this one are within the outermost call of the function that is open.
    const outermostEnds = new Int32Array(length)
    const ends = endsOf(parents)
    for (let node = 0; node < parents.length; node++) {
      const index = functionIndexes[node]!
      if (index < 0) continue
      columns.self[index]! += self[node]!
      if (calls) columns.calls![index]! += calls[node]!
      if (node >= outermostEnds[index]!) {
        outermostEnds[index] = ends[node]!
        columns.totals[index]! += totals[node]!
      }
      if (columns.hottestLines[index] === 0 || Math.abs(self[node]!) > hottestSelf[index]!) {
        hottestSelf[index] = Math.abs(self[node]!)
        columns.hottestLines[index] = lines[node]!
      }
    }
    return columns
  }),
)
