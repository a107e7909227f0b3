import { expect, test } from 'vitest'
import { type Measured, shapedRounds, spreadOf, spreadRange } from './spread.ts'

function of(stats: Measured['stats']) {
  return spreadOf({ value: 10, rounds: null, stats })
}

test('spreadOf() takes the rounds before anything that the tool says', () => {
  expect(spreadOf({ value: 3, rounds: [5, 1, 3, 2, 4], stats: { min: 0, max: 99 } })).toEqual({
    low: 1,
    q1: 2,
    middle: 3,
    q3: 4,
    high: 5,
    whiskers: 'least and most',
  })
})

test('spreadOf() without rounds takes quartiles, then a deviation, then stated bounds, then the value alone', () => {
  expect(of({ min: 8, q1: 9, median: 10.5, q3: 11, max: 14 })).toMatchObject({ low: 8, q1: 9, middle: 10.5 })
  expect(of({ min: 8, q1: 9, max: 14 })).toMatchObject({ low: 8, q1: null, middle: 10, high: 14 })
  expect(of({ mean: 11, stdev: 2 })).toMatchObject({ low: 9, middle: 11, high: 13 })
  expect(of({ low: 9, high: 12 })).toMatchObject({ low: 9, high: 12, whiskers: 'stated bounds' })
  expect(of({})).toMatchObject({ low: 10, high: 10, whiskers: 'nothing' })
})

test('shapedRounds() draws no shape of a handful of rounds', () => {
  expect(shapedRounds({ value: 1, rounds: [1, 2, 3], stats: {} })).toBeUndefined()
  expect(shapedRounds({ value: 1, rounds: null, stats: {} })).toBeUndefined()
  expect(shapedRounds({ value: 1, rounds: [1, 2, 3, 4, 5, 6, 7, 8], stats: {} })).toHaveLength(8)
})

test('spreadRange() is not stretched by one far round, and does not go below zero without need', () => {
  const calm = spreadOf({ value: 100, rounds: [98, 99, 100, 101, 102], stats: {} })
  const wild = spreadOf({ value: 100, rounds: [98, 99, 100, 101, 9000], stats: {} })
  const [low, high] = spreadRange([calm, wild])
  expect(low).toBeGreaterThan(90)
  expect(high).toBeLessThan(120)
  expect(spreadRange([spreadOf({ value: 0, rounds: null, stats: {} })])).toEqual([0, 1])
})
