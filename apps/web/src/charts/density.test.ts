import { expect, test } from 'vitest'
import { densityAlong, violinPath } from './density.ts'

const box = { widthPx: 20, middleY: 10, halfHeightPx: 8 }

test('densityAlong() shows two humps where there are two', () => {
  const values = [...Array<number>(50).fill(20), ...Array<number>(50).fill(80)].map(
    (value, index) => value + (index % 7) - 3,
  )
  const densities = densityAlong(values, [0, 100], 101)
  const [left = 0, valley = 1, right = 0] = [densities[20], densities[50], densities[80]]
  expect(left).toBeGreaterThan(0.8)
  expect(right).toBeGreaterThan(0.8)
  expect(valley).toBeLessThan(0.7)
  expect(Math.max(...densities)).toBe(1)
})

test('densityAlong() of values that are all the same is one peak, and of values outside is flat', () => {
  const peak = densityAlong(Array<number>(10).fill(50), [0, 100], 101)
  expect(peak[50]).toBe(1)
  expect(peak[60]).toBeLessThan(0.01)
  expect(densityAlong([500, 501], [0, 100], 11)).toEqual(Array<number>(11).fill(0))
})

test('violinPath() goes along the upper edge and back along the lower', () => {
  expect(violinPath([0.25, 1, 0.5], box)).toBe('M0.0 8.0L10.0 2.0L20.0 6.0L20.0 14.0L10.0 18.0L0.0 12.0Z')
})

test('violinPath() draws no line where there is nothing', () => {
  expect(violinPath([0, 1, 0.001], box)).toBe('M10.0 2.0L10.0 18.0Z')
  expect(violinPath([0, 0, 0], box)).toBe('')
})
