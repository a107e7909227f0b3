import { Pattern } from '../pattern.ts'
import { totalValues, type FunctionTable, type Profile } from '../profile.ts'
import { wholeCallTree, type CallTree } from './call-tree.ts'
import { exactTotals, type ExactTotals } from './exact-totals.ts'
import { sumOf } from './kept-columns.ts'

/** Which stacks a question is about, and of which value. Patterns are those of `Pattern`. */
export interface StackFilter {
  /** The default sample type when absent. */
  sampleTypeIndex?: number
  /** Only stacks with a function whose name or file has this pattern. */
  focus?: string
  /** No stacks with a function whose name or file has this pattern. */
  ignore?: string
}

/**
 * The call tree of only those stacks, and what the whole profile has: percentages are of that. `exact` is about all stacks only.
 * Throws PatternError for a pattern that cannot be read, RangeError when there is no such sample type.
 */
export function filteredCallTree(
  profile: Profile,
  filter: StackFilter,
): { tree: CallTree; wholeTotal: number; exact?: ExactTotals | undefined } {
  const whole = wholeCallTree(profile, filter.sampleTypeIndex)
  const wholeTotal = sumOf(whole.self)
  const isKept = matchingStacks(profile, filter)
  if (isKept === undefined)
    return { tree: whole, wholeTotal, exact: exactTotals(profile, filter.sampleTypeIndex) }
  const self = whole.self.map((value, node) => (isKept[node] === 1 ? value : 0))
  return { tree: { ...whole, self, totals: totalValues(whole.parents, self) }, wholeTotal }
}

/** 1 for each node whose stack has a function in focus and none to ignore; undefined when all are asked for. */
export function matchingStacks(profile: Profile, { focus, ignore }: StackFilter): Uint8Array | undefined {
  if (focus === undefined && ignore === undefined) return undefined
  const { parents, functionIndexes } = profile.nodes
  const inFocus = matchingFunctions(profile.functions, focus)
  const ignored = matchingFunctions(profile.functions, ignore)
  const hasFocus = new Uint8Array(parents.length)
  const hasIgnored = new Uint8Array(parents.length)
  hasFocus[0] = focus === undefined ? 1 : 0
  const isKept = new Uint8Array(parents.length)
  for (let node = 0; node < parents.length; node++) {
    if (node > 0) {
      const parent = parents[node]!
      hasFocus[node] = hasFocus[parent]! | inFocus[functionIndexes[node]!]!
      hasIgnored[node] = hasIgnored[parent]! | ignored[functionIndexes[node]!]!
    }
    isKept[node] = hasFocus[node]! & ~hasIgnored[node]! & 1
  }
  return isKept
}

/** 1 for each function whose name or file has the pattern; none without one. */
export function matchingFunctions(functions: FunctionTable, source: string | undefined): Uint8Array {
  const { names, files } = functions
  const isMatching = new Uint8Array(names.length)
  if (source === undefined) return isMatching
  const pattern = new Pattern(source)
  // Many functions are of the same file.
  const matchingFiles = new Map<string, boolean>()
  for (let index = 0; index < isMatching.length; index++) {
    if (pattern.test(names[index]!)) {
      isMatching[index] = 1
      continue
    }
    const file = files[index]!
    let matches = matchingFiles.get(file)
    if (matches === undefined) matchingFiles.set(file, (matches = pattern.test(file)))
    if (matches) isMatching[index] = 1
  }
  return isMatching
}
