import { expect, test } from 'vitest'
import { parseSorting, stringifySorting } from './sorting.ts'

test('parseSorting() reads what stringifySorting() writes', () => {
  for (const text of ['change', '-change']) {
    const sorting = parseSorting(text)
    expect(sorting && stringifySorting(sorting)).toBe(text)
  }
  expect(parseSorting('-change')).toEqual({ key: 'change', direction: 'descending' })
})

test('parseSorting() of nothing is no order', () => {
  expect([undefined, '', '-'].map(parseSorting)).toEqual([undefined, undefined, undefined])
})
