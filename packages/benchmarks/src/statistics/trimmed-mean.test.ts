import { expect, test } from 'vitest'
import { trimmedMean } from './trimmed-mean.ts'

test('trimmedMean() leaves out a fifth at either end, and takes its error from the winsorized numbers', () => {
  // Worked out by hand: the core is 3 … 8, and 1, 2 and 9, 100 count as 3 and 8.
  const { mean, variance, df } = trimmedMean([1, 2, 3, 4, 5, 6, 7, 8, 9, 100])
  expect({ mean, df }).toEqual({ mean: 5.5, df: 5 })
  expect(variance).toBeCloseTo((6 * 2.5 ** 2 + 2 * 1.5 ** 2 + 2 * 0.5 ** 2) / 30, 12)
})

test('trimmedMean() of few numbers is their mean', () => {
  expect(trimmedMean([1, 2, 3])).toMatchObject({ mean: 2, variance: 1 / 3, df: 2 })
  expect(() => trimmedMean([1])).toThrow(RangeError)
})
