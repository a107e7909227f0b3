import { expect, test } from 'vitest'
import { GrowingRows } from './growing-rows.ts'
import { sortedRows } from './sorted-rows.ts'

test('rows of equal keys do not take more and more room', () => {
  const rows = new GrowingRows({ width: 2, maxCount: 2 ** 24 })
  for (let row = 0; row < 3_000_000; row++) rows.add(row % 7, row % 5, Float64Array.of(1, row % 2))
  expect(rows.rows.firsts.length).toBeLessThan(2 ** 20)
  const { firsts, seconds, columns } = sortedRows(rows.rows)
  expect([...firsts.subarray(0, 6)]).toEqual([0, 0, 0, 0, 0, 1])
  expect([...seconds.subarray(0, 6)]).toEqual([0, 1, 2, 3, 4, 0])
  expect(columns.map((column) => column.reduce((sum, value) => sum + value))).toEqual([3_000_000, 1_500_000])
})

test('what does not fit is told', () => {
  const rows = new GrowingRows({ width: 1, maxCount: 2 })
  const added = [1, 2, 3].map((node) => rows.add(node, 0, Float64Array.of(node)))
  expect(added).toEqual([true, true, false])
  expect([...rows.rows.values]).toEqual([1, 2])
})
