import type { Profile } from '../profile.ts'
import { bestTotalOf } from './exact-totals.ts'
import { percentOf } from './format-value.ts'
import { coveredValue } from './group-values.ts'
import { filteredCallTree, matchingFunctions } from './stack-filter.ts'
import { largestFunctions, type FunctionRow, type TopFunctionsOptions } from './top-functions.ts'

export interface FoundFunctions {
  /** The largest of those that were found. */
  rows: FunctionRow[]
  rowCount: number
  /** What stacks through any of them have; a stack through several counts once. */
  coveredValue: number
  /** Of the whole profile. */
  coveredPercent: number
}

/**
 * Functions whose name or file has a pattern (all without one), and what they have together. Throws PatternError for a pattern
 * that cannot be read, RangeError for an unknown sample type.
 */
export function searchFunctions(
  profile: Profile,
  pattern: string | undefined,
  options: TopFunctionsOptions,
): FoundFunctions {
  const { tree, wholeTotal, exact } = filteredCallTree(profile, options)
  const isMatching = pattern === undefined ? undefined : matchingFunctions(profile.functions, pattern)
  const covered =
    isMatching === undefined
      ? tree.totals[0]!
      : bestTotalOf(indexesOf(isMatching), coveredValue(tree, isMatching), exact)
  return {
    ...largestFunctions(tree, profile.functions, { ...options, wholeTotal, exact, isWanted: isMatching }),
    coveredValue: covered,
    coveredPercent: percentOf(covered, wholeTotal),
  }
}

function indexesOf(isMatching: Uint8Array): number[] {
  const indexes: number[] = []
  for (let index = 0; index < isMatching.length; index++) if (isMatching[index] === 1) indexes.push(index)
  return indexes
}
