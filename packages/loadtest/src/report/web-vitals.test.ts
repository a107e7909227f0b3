import { expect, test } from 'vitest'
import { distributionOf, ratingOf } from './web-vitals.ts'

test.each([
  ['lcp', 2500, 'good'],
  ['lcp', 2500.1, 'needs_improvement'],
  ['lcp', 4000, 'needs_improvement'],
  ['lcp', 4000.1, 'poor'],
  ['cls', 0.1, 'good'],
  ['cls', 0.26, 'poor'],
] as const)('%s of %d is %s', (vital, value, rating) => {
  expect(ratingOf(vital, value)).toBe(rating)
})

test('a percentile is the value of the nearest rank', () => {
  const four = distributionOf([40, 10, 30, 20])
  expect([25, 50, 75, 76, 99.9].map((percent) => four?.percentile(percent))).toEqual([10, 20, 30, 40, 40])
  expect([four?.mean, four?.min, four?.max]).toEqual([25, 10, 40])
  expect(distributionOf([7])?.percentile(1)).toBe(7)
  expect(distributionOf([])).toBeUndefined()
})
