import type { Profile } from '../profile.ts'

/** Of one sample type, totals of functions that are known better than the tree tells them. */
export interface ExactTotals {
  /** Per function, 1 where it is known. */
  isKnown: Uint8Array
  values: Float64Array
}

/** Those of a whole profile; undefined where its tree is all there is. */
export function exactTotals(
  { functionTotals, defaultSampleTypeIndex }: Profile,
  sampleTypeIndex = defaultSampleTypeIndex,
): ExactTotals | undefined {
  const values = functionTotals?.values[sampleTypeIndex]
  return values && { isKnown: functionTotals.isKnown, values }
}

/** What functions have: where it is known exactly, that, and else what the tree tells of them. */
export function bestTotals(ofTree: Float64Array, exact: ExactTotals | undefined): Float64Array {
  if (exact === undefined) return ofTree
  return ofTree.map((total, index) => (exact.isKnown[index] === 1 ? exact.values[index]! : total))
}

/** The same of some functions together: of several, only the tree tells what they have in common. */
export function bestTotalOf(
  functionIndexes: readonly number[],
  ofTree: number,
  exact: ExactTotals | undefined,
): number {
  const [index] = functionIndexes
  return functionIndexes.length === 1 && exact?.isKnown[index!] === 1 ? exact.values[index!]! : ofTree
}
