import { sortedCopy } from './describe-rounds.ts'

/**
 * From a p-value to what it is worth among all that were looked at together: the least q at which it would be a discovery
 * when a share of q of all discoveries may be expected to be false.
 * @param pValues all of them, in any order
 * @see Benjamini & Hochberg (1995), Journal of the Royal Statistical Society B 57:289–300
 */
export function benjaminiHochberg(pValues: readonly number[]): (pValue: number) => number {
  const sorted = sortedCopy(pValues)
  const adjusted = new Float64Array(sorted.length)
  let least = 1
  for (let index = sorted.length - 1; index >= 0; index -= 1) {
    least = Math.min(least, ((sorted[index] ?? 1) * sorted.length) / (index + 1))
    adjusted[index] = least
  }
  return (pValue) => {
    // The last place of this p-value, for equal ones share the least q among them.
    let low = 0
    let high = sorted.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((sorted[middle] ?? 1) <= pValue) low = middle + 1
      else high = middle
    }
    const found = adjusted[low - 1]
    if (found === undefined) throw new RangeError('This p-value is less than all that were looked at')
    return found
  }
}
