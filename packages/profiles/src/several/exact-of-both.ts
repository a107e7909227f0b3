import type { ExactTotals } from '../questions/exact-totals.ts'

/** One of two profiles that are compared. */
export interface ComparedTotals {
  exact: ExactTotals | undefined
  /** Where each of its functions is among those of both. */
  functionOf: Int32Array
  /** What values are multiplied by. */
  factor: number
}

/**
 * Exact totals of the functions of two profiles, per profile. They are known only where neither side's has to come from a tree:
 * an exact total held against a likely one differs by what the tree is off. A side without the function has 0.
 */
export function exactOfBoth(sides: readonly ComparedTotals[], functionCount: number): ExactTotals[] {
  const isKnown = new Uint8Array(functionCount).fill(1)
  const columns = sides.map(({ exact, functionOf, factor }) => {
    const values = new Float64Array(functionCount)
    const isMet = new Uint8Array(functionCount)
    for (const [index, place] of functionOf.entries()) {
      // Of functions that are one here it is not known what they called each other for.
      if (exact?.isKnown[index] !== 1 || isMet[place] === 1) isKnown[place] = 0
      else values[place] = exact.values[index]! * factor
      isMet[place] = 1
    }
    return values
  })
  return columns.map((values) => ({ isKnown, values }))
}
