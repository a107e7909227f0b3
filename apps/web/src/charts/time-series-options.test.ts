import { expect, test } from 'vitest'
import { drawnColumns } from './time-series-options.ts'

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
