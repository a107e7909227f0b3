import { expect, test } from 'vitest'
import { highestOf, slotOf } from '../slots.ts'
import { histogramBetween, histogramSum, longestBetween, percentileIn } from './histogram.ts'

const of = (...values: readonly number[]) => {
  const slots = [...new Set(values.map(slotOf))].toSorted((a, b) => a - b)
  return { slots, counts: slots.map((slot) => values.filter((value) => slotOf(value) === slot).length) }
}

test('what is between two histograms is what came after the first', () => {
  expect(histogramBetween(of(1, 5, 900), of(1, 5, 5, 900, 70_000))).toEqual(of(5, 70_000))
})

test('a sum holds the values of both', () => {
  expect(histogramSum(of(1, 900), of(5, 900))).toEqual(of(1, 5, 900, 900))
})

test('percentiles are values that so many do not exceed', () => {
  const hundred = of(...Array.from({ length: 98 }, () => 10), 1000, 5000)
  expect([50, 98, 99, 100].map((percent) => percentileIn(hundred, percent))).toEqual([
    10,
    10,
    highestOf(slotOf(1000)),
    highestOf(slotOf(5000)),
  ])
  expect(percentileIn({ slots: [10], counts: [1000] }, 99.9)).toBe(10)
  expect(percentileIn(of(), 50)).toBeUndefined()
})

test('the longest between two histograms is the last of what came after the first', () => {
  expect(longestBetween(of(), of(10, 5000))).toBe(highestOf(slotOf(5000)))
  expect(longestBetween(of(5, 70_000), of(5, 900, 900, 70_000))).toBe(highestOf(slotOf(900)))
  expect(longestBetween(of(5, 900), of(5, 900))).toBeUndefined()
})
