import { expect, test } from 'vitest'
import { divergingBar, largestDifference } from './diverging-scale.ts'

test('the largest difference reaches to its edge, and the others are in proportion', () => {
  const differences = [7300, -3650, 0]
  const largest = largestDifference(differences)
  expect(differences.map((difference) => divergingBar(difference, largest))).toEqual([
    { left: 50, width: 50 },
    { left: 25, width: 25 },
    { left: 50, width: 0 },
  ])
})

test('without any difference there are no bars', () => {
  expect(divergingBar(0, largestDifference([]))).toEqual({ left: 50, width: 0 })
})
