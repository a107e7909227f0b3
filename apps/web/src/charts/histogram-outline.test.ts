import { expect, test } from 'vitest'
import { outlineOf, sharesWithin } from './histogram-outline.ts'

const bars = [
  { from_ms: 10, to_ms: 20, count: 6 },
  { from_ms: 20, to_ms: 40, count: 2 },
]

test('an outline encloses all requests, however wide the bars are', () => {
  const outline = outlineOf(bars)
  expect(outline).toEqual([
    { ms: 10, height: 0 },
    { ms: 10, height: 0.075 },
    { ms: 20, height: 0.075 },
    { ms: 20, height: 0.0125 },
    { ms: 40, height: 0.0125 },
    { ms: 40, height: 0 },
  ])
  const area = outline.slice(1).reduce((sum, { ms, height }, index) => {
    const before = outline[index] ?? { ms, height }
    return sum + ((ms - before.ms) * (height + before.height)) / 2
  }, 0)
  expect(area).toBeCloseTo(1, 12)
})

test('shares of any part of the time add up', () => {
  expect(sharesWithin(bars, 0, 100)).toBe(1)
  expect(sharesWithin(bars, 10, 15)).toBe(0.375)
  expect(sharesWithin(bars, 15, 30)).toBe(0.5)
  expect(sharesWithin(bars, 40, 50)).toBe(0)
})

test('what measured nothing has no outline, and no shares', () => {
  expect(outlineOf([])).toEqual([])
  expect(sharesWithin([], 0, 10)).toBe(0)
  expect(outlineOf([{ from_ms: 0, to_ms: 1, count: 0 }]).every(({ height }) => height === 0)).toBe(true)
})
