import { subtreeEnds, type FunctionTable, type Profile } from '../profile.ts'
import type { CallTree } from './call-tree.ts'
import { percentOf } from './format-value.ts'
import { functionOrigin } from './function-origin.ts'
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

/** A row before it is known to be shown. */
export type FunctionValues = Omit<FunctionRow, 'origin'>

export interface TopFunctionsOptions extends StackFilter {
  by: 'self' | 'total'
  limit: number
}

/**
 * The functions with the largest values, as `go tool pprof -top` and `-top -cum` give them: percentages are of
 * the whole profile, also with `focus` and `ignore`. Throws PatternError for a pattern that cannot be read.
 */
export function topFunctions(profile: Profile, options: TopFunctionsOptions): FunctionRow[] {
  const { tree, wholeTotal } = filteredCallTree(profile, options)
  const rows = functionRows(tree, profile.functions, wholeTotal)
  return largestRows(rows, profile.functions, options.by, options.limit)
}

/** The largest rows, then by name, with their origins. */
export function largestRows(
  rows: FunctionValues[],
  { originRules }: FunctionTable,
  by: 'self' | 'total',
  limit: number,
): FunctionRow[] {
  const [first, second] =
    by === 'self' ? (['selfValue', 'totalValue'] as const) : (['totalValue', 'selfValue'] as const)
  return rows
    .toSorted(
      (a, b) =>
        Math.abs(b[first]) - Math.abs(a[first]) ||
        Math.abs(b[second]) - Math.abs(a[second]) ||
        (a.functionName < b.functionName ? -1 : 1),
    )
    .slice(0, limit)
    .map((row) => ({ ...row, origin: functionOrigin(row.functionName, row.file, originRules) }))
}

/** A row per function that has a value, in one pass. The order of nodes tells which calls are within the function itself. */
export function functionRows(
  tree: CallTree,
  functions: FunctionTable,
  wholeTotal: number,
  /** 1 for each function to give; all when absent. */
  isWanted?: Uint8Array,
): FunctionValues[] {
  const { parents, functionIndexes, lines, calls, self, totals } = tree
  const count = functions.names.length
  const selfByFunction = new Float64Array(count)
  const totalByFunction = new Float64Array(count)
  const callsByFunction = new Float64Array(count)
  const hottestLine = new Int32Array(count)
  const hottestSelf = new Float64Array(count)
  // Nodes before this one are within the outermost call of the function that is open.
  const outermostEnds = new Int32Array(count)
  const ends = subtreeEnds(parents)
  for (let node = 0; node < parents.length; node++) {
    const index = functionIndexes[node]!
    if (index < 0) continue
    selfByFunction[index]! += self[node]!
    if (calls) callsByFunction[index]! += calls[node]!
    if (node >= outermostEnds[index]!) {
      outermostEnds[index] = ends[node]!
      totalByFunction[index]! += totals[node]!
    }
    if (hottestLine[index] === 0 || Math.abs(self[node]!) > hottestSelf[index]!) {
      hottestSelf[index] = Math.abs(self[node]!)
      hottestLine[index] = lines[node]!
    }
  }

  const rows: FunctionValues[] = []
  for (let index = 0; index < count; index++) {
    if (selfByFunction[index] === 0 && totalByFunction[index] === 0) continue
    if (isWanted?.[index] === 0) continue
    const row: FunctionValues = {
      functionName: functions.names[index]!,
      file: functions.files[index]!,
      line: functions.startLines[index]! || hottestLine[index]!,
      selfValue: selfByFunction[index]!,
      selfPercent: percentOf(selfByFunction[index]!, wholeTotal),
      totalValue: totalByFunction[index]!,
      totalPercent: percentOf(totalByFunction[index]!, wholeTotal),
    }
    if (calls) row.calls = callsByFunction[index]!
    rows.push(row)
  }
  return rows
}
