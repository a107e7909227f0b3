import { CannotCompareError } from './cannot-compare-error.ts'

/**
 * What is done to the values of two profiles before they are held against each other.
 *
 * - `none`: nothing.
 * - `total`: head is scaled to the total of base, so that shares are compared.
 * - `duration`: head is scaled to the duration of base, so that values per second are compared.
 * - `factor`: head's values times a number, such as how many more requests base had.
 * - `values`: each side is scaled to a value that was measured beside it, in a unit of its own.
 */
export type Normalization =
  | { by: 'none' | 'total' | 'duration' }
  | { by: 'factor'; factor: number }
  | { by: 'values'; base: number; head: number; unit: string }

/** What is known of one side: its total in the unit of head, and its duration. */
interface Amount {
  total: number
  durationMs?: number | undefined
}

/** What the values of each side are multiplied by. @throws CannotCompareError when there is nothing to scale by */
export function normalizingFactors(
  normalization: Normalization,
  base: Amount,
  head: Amount,
): { base: number; head: number } {
  switch (normalization.by) {
    case 'none':
      return { base: 1, head: 1 }
    case 'factor':
      return { base: 1, head: normalization.factor }
    case 'total':
      return { base: 1, head: ratio(base.total, head.total, 'a total') }
    case 'duration':
      return { base: 1, head: ratio(base.durationMs, head.durationMs, 'a duration') }
    default:
      return {
        base: normalization.base / present(base.total, 'a total'),
        head: normalization.head / present(head.total, 'a total'),
      }
  }
}

function ratio(wanted: number | undefined, own: number | undefined, what: string): number {
  return present(wanted, what) / present(own, what)
}

function present(amount: number | undefined, what: string): number {
  if (amount === undefined || amount === 0) throw new CannotCompareError(`not both profiles have ${what}`)
  return amount
}
