import { Pattern } from '../pattern.ts'
import { selfValuesOf, subtreeEnds, totalValues, type FunctionTable, type Profile } from '../profile.ts'
import { percentOf } from './format-value.ts'
import { functionOrigin } from './function-origin.ts'
import type { CallTree } from './call-tree.ts'

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

export interface TopFunctionsOptions {
  /** The default sample type when absent. */
  sampleTypeIndex?: number
  by: 'self' | 'total'
  limit: number
  /** Only stacks with a function whose name or file has this pattern. */
  focus?: string
  /** No stacks with a function whose name or file has this pattern. */
  ignore?: string
}

/**
 * The functions with the largest values, as `go tool pprof -top` and `-top -cum` give them: percentages are of
 * the whole profile, also with `focus` and `ignore`. Throws PatternError for a pattern that cannot be read.
 */
export function topFunctions(profile: Profile, options: TopFunctionsOptions): FunctionRow[] {
  const { parents, functionIndexes, lines, calls } = profile.nodes
  const allSelf = selfValuesOf(profile, options.sampleTypeIndex)
  const self = onlyMatching(profile, allSelf, options)
  const tree = { parents, functionIndexes, lines, calls, self, totals: totalValues(parents, self) }
  const rows = functionRows(tree, profile.functions, sum(allSelf))
  return largestRows(rows, options.by, options.limit)
}

/** The largest rows, then by name, with their origins. */
export function largestRows(rows: FunctionValues[], by: 'self' | 'total', limit: number): FunctionRow[] {
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
    .map((row) => ({ ...row, origin: functionOrigin(row.functionName, row.file) }))
}

/** A row per function that has a value, in one pass. The order of nodes tells which calls are within the function itself. */
export function functionRows(tree: CallTree, functions: FunctionTable, wholeTotal: number): FunctionValues[] {
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

/** The self values of stacks that have a function in focus and none to ignore; 0 for others. */
function onlyMatching(profile: Profile, self: Float64Array, options: TopFunctionsOptions): Float64Array {
  if (options.focus === undefined && options.ignore === undefined) return self
  const { parents, functionIndexes } = profile.nodes
  const inFocus = matchingFunctions(profile.functions, options.focus)
  const ignored = matchingFunctions(profile.functions, options.ignore)
  const hasFocus = new Uint8Array(parents.length)
  const hasIgnored = new Uint8Array(parents.length)
  hasFocus[0] = options.focus === undefined ? 1 : 0
  const kept = self.slice()
  for (let node = 0; node < parents.length; node++) {
    if (node > 0) {
      const parent = parents[node]!
      hasFocus[node] = hasFocus[parent]! | inFocus[functionIndexes[node]!]!
      hasIgnored[node] = hasIgnored[parent]! | ignored[functionIndexes[node]!]!
    }
    if (hasFocus[node] === 0 || hasIgnored[node] === 1) kept[node] = 0
  }
  return kept
}

function matchingFunctions(functions: FunctionTable, source: string | undefined): Uint8Array {
  const isMatching = new Uint8Array(functions.names.length)
  if (source === undefined) return isMatching
  const pattern = new Pattern(source)
  for (let index = 0; index < isMatching.length; index++) {
    if (pattern.test(functions.names[index]!) || pattern.test(functions.files[index]!)) isMatching[index] = 1
  }
  return isMatching
}

function sum(values: Float64Array): number {
  let total = 0
  for (const value of values) total += value
  return total
}
