import { expect, test } from 'vitest'
import { historyColumns, logRange, valueRange } from './history-columns.ts'

function point(branch: string, minute: number, value: number) {
  return { branch, at: new Date(minute * 60_000).toISOString(), value }
}

test('historyColumns() gives every point a column, in order of time, and every branch a series', () => {
  const columns = historyColumns([
    point('feat', 2, 9),
    point('main', 3, 5),
    point('main', 1, 4),
    point('main', 3, 6),
  ])
  expect(columns.times).toEqual([60, 120, 180, 180])
  expect(columns.branches).toEqual([
    { name: 'main', values: [4, null, 5, 6] },
    { name: 'feat', values: [null, 9, null, null] },
  ])
  expect(columns.points.map(({ value }) => value)).toEqual([4, 9, 5, 6])
})

test('historyColumns() leaves out the points of hidden branches, which keep their place among the series', () => {
  const points = [point('main', 1, 4), point('main', 2, 5), point('feat', 3, 9)]
  const { times, branches } = historyColumns(points, new Set(['main']))
  expect(times).toEqual([180])
  expect(branches).toEqual([
    { name: 'main', values: [null] },
    { name: 'feat', values: [9] },
  ])
})

test('historyColumns() of nothing is empty', () => {
  expect(historyColumns([])).toEqual({ points: [], times: [], branches: [] })
})

test('valueRange() leaves air, and stays above zero', () => {
  expect(valueRange([100, 200])).toEqual([85, 215])
  expect(valueRange([100, 100])).toEqual([95, 105])
  expect(valueRange([1, 100])).toEqual([0, 114.85])
  expect(valueRange([-10, 10])).toEqual([-13, 13])
  expect(valueRange([0])).toEqual([0, 1])
  expect(valueRange([])).toEqual([0, 1])
})

test('logRange() leaves the same share of air on both sides', () => {
  expect(logRange(100, 100)).toEqual([100 / 1.05, 105])
  const [low, high] = logRange(1, 1024)
  expect(low).toBeCloseTo(0.5)
  expect(high).toBeCloseTo(2048)
})
