import { quantile } from '../statistics/describe-rounds.ts'

/** The median of numbers in any order, typed arrays too. */
export function middleOf(numbers: ArrayLike<number>): number {
  return quantile(new Float64Array(numbers).toSorted(), 0.5)
}
