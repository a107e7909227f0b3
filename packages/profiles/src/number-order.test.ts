import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { ascendingOrder } from './number-order.ts'

test('the smallest comes first, and equal ones stay in their order', () => {
  expect(Array.from(ascendingOrder(Float64Array.of(3, 1, 2, 1, 0)))).toEqual([4, 1, 3, 2, 0])
  expect(Array.from(ascendingOrder(new Float64Array()))).toEqual([])
})

test('any numbers are in the order of a sort that is stable', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -5, max: 5 })), (keys) => {
      const expected = keys.map((_, index) => index).toSorted((a, b) => keys[a]! - keys[b]!)
      expect(Array.from(ascendingOrder(Float64Array.from(keys)))).toEqual(expected)
    }),
  )
})
