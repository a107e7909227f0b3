import { expect, test } from 'vitest'
import { sparklineBox, sparklinePoints } from './sparkline-path.ts'

test('sparklinePoints() goes from edge to edge, larger values higher', () => {
  const [first, second, third] = sparklinePoints([100, 300, 200])
  expect(first).toEqual({ x: 2.5, y: 21.5 })
  expect(second).toEqual({ x: 48, y: 2.5 })
  expect(third).toEqual({ x: 93.5, y: 12 })
})

test('sparklinePoints() keeps noise small and the same value in the middle', () => {
  const ys = sparklinePoints([100, 101, 100]).map(({ y }) => y)
  expect(Math.max(...ys) - Math.min(...ys)).toBeLessThan(2.5)
  expect(sparklinePoints([5, 5])[0]?.y).toBe(sparklineBox.height / 2)
  expect(sparklinePoints([5])[0]).toEqual({ x: 93.5, y: 12 })
  expect(sparklinePoints([])).toEqual([])
})
