import { expect, test } from 'vitest'
import { drawnColumns, valueAxisPx } from './time-series-options.ts'

const lines = [{ values: [1, null, 3] }, { values: [10, 20, null] }]

test('stacked lines lie on those before them, and what is not known takes no room', () => {
  expect(drawnColumns([0, 1, 2], lines, 'stacked')).toEqual([
    [0, 1, 2],
    [1, 0, 3],
    [11, 20, 3],
  ])
})

test('other lines are drawn as they are, with their gaps', () => {
  expect(drawnColumns([0, 1, 2], lines, 'area')).toEqual([
    [0, 1, 2],
    [1, null, 3],
    [10, 20, null],
  ])
})

test('an axis has room for its longest label, and most have the same', () => {
  expect(valueAxisPx(null)).toBe(68)
  expect(valueAxisPx(['0 ms', '600 ms'])).toBe(68)
  expect(valueAxisPx(['0 B/s', '390.6 KiB/s'])).toBeGreaterThan('390.6 KiB/s'.length * 7 + 15)
})
