import { PairTable } from '../pair-table.ts'

/** The number of a text, from 0 on; the next one when it is new. */
export function numberOf(text: string, numbers: Map<string, number>): number {
  const known = numbers.get(text)
  if (known !== undefined) return known
  numbers.set(text, numbers.size)
  return numbers.size - 1
}

/** Numbers pairs of numbers from 1 on. */
export function pairNumbers(): PairTable {
  return new PairTable({
    valueWidth: 0,
    maxCount: Infinity,
    overflow: () => new RangeError('There are too many pairs'),
  })
}
