import { expect, test } from 'vitest'
import { theilSen } from './theil-sen.ts'

const trend = (values: number[], confidence = 0.95) =>
  theilSen(Float64Array.from(values.keys()), values, confidence)

test('an outlier does not bend the line', () => {
  expect(trend([1, 3, 5, 700, 9, 11, 13])).toMatchObject({ slope: 2, intercept: 1 })
})

test('fewer than five points have no interval at 95 %, and at 90 % fewer than four', () => {
  expect(trend([1, 2, 3, 4])).toEqual({ slope: 1, intercept: 1 })
  expect(trend([1, 2, 4, 8, 16])).toMatchObject({ low: 1, high: 8 })
  expect(trend([1, 2, 4], 0.9)).not.toHaveProperty('low')
  expect(trend([1, 2, 4, 8], 0.9)).toMatchObject({ low: 1, high: 4 })
})

test('the interval is that of the exact distribution of Kendall’s rank correlation', () => {
  // Of the 28 slopes of 8 points, 5 may lie outside at each end (Hollander & Wolfe, table A.30: P(S ≥ 16) = 0.031,
  // P(S ≥ 18) = 0.016), so that the interval goes from the 6th to the 23rd.
  const values = [0, 1, 3, 7, 15, 31, 63, 127]
  const slopes = values
    .flatMap((value, later) =>
      values.slice(0, later).map((other, earlier) => (value - other) / (later - earlier)),
    )
    .toSorted((a, b) => a - b)
  expect(trend(values)).toMatchObject({ low: slopes[5], high: slopes[22] })
})

test('points that do not differ in time have no slope', () => {
  expect(theilSen([5, 5, 5], [1, 2, 3], 0.95)).toBeUndefined()
})
