import { expect, test } from 'vitest'
import { type Measured, quantilePoints, shapedRounds, spreadOf, spreadReach } from './spread.ts'

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

test('spreadOf() one round has no quartiles, whatever the tool tells', () => {
  const stats = { min: 10, q1: 10, median: 10, q3: 10, max: 10, rounds: 1 }
  expect(of(stats)).toEqual({ low: 10, q1: null, middle: 10, q3: null, high: 10, whiskers: 'one round' })
  expect(spreadOf({ value: 10, rounds: [10], stats: {} })).toMatchObject({ whiskers: 'one round' })
})

test('shapedRounds() draws no shape of a handful of rounds', () => {
  expect(shapedRounds({ value: 1, rounds: [1, 2, 3], stats: {} })).toBeUndefined()
  expect(shapedRounds({ value: 1, rounds: null, stats: {} })).toBeUndefined()
  expect(shapedRounds({ value: 1, rounds: [1, 2, 3, 4, 5, 6, 7, 8], stats: {} })).toHaveLength(8)
})

test('quantilePoints() are the rounds in order, else the quartiles, else nothing', () => {
  expect(quantilePoints({ value: 2, rounds: [3, 1, 2], stats: {} })).toEqual([
    { value: 1, share: 0 },
    { value: 2, share: 0.5 },
    { value: 3, share: 1 },
  ])
  const stats = { min: 8, q1: 9, median: 10.5, q3: 11, max: 14 }
  expect(quantilePoints({ value: 10, rounds: null, stats })?.map(({ value }) => value)).toEqual([
    8, 9, 10.5, 11, 14,
  ])
  expect(quantilePoints({ value: 10, rounds: [10], stats: { mean: 10, stdev: 1 } })).toBeUndefined()
})

test('spreadReach() is not stretched by one far round', () => {
  const calm = spreadOf({ value: 100, rounds: [98, 99, 100, 101, 102], stats: {} })
  const wild = spreadOf({ value: 100, rounds: [98, 99, 100, 101, 9000], stats: {} })
  expect(spreadReach([calm])).toEqual([98, 102])
  const [low, high] = spreadReach([calm, wild])
  expect(low).toBe(98)
  expect(high).toBeLessThan(120)
})
