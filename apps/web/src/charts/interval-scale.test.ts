import { expect, test } from 'vitest'
import { intervalScale, placeInterval } from './interval-scale.ts'

function row(change: number | null, low: number | null = null, high: number | null = null) {
  return { change_percent: change, interval_low_percent: low, interval_high_percent: high }
}

test('intervalScale() reaches to the widest interval, within bounds', () => {
  expect(intervalScale([row(20, 12, 31), row(-4)])).toBe(31)
  expect(intervalScale([row(1)])).toBe(10)
  expect(intervalScale([row(900)])).toBe(100)
  expect(intervalScale([row(900)], Infinity)).toBe(900)
  expect(intervalScale([row(null)])).toBe(10)
})

test('placeInterval() puts no change into the middle and cuts at the edges', () => {
  expect(placeInterval(row(0, -5, 5), 10)).toEqual({ low: 25, high: 75, change: 50 })
  expect(placeInterval(row(40, 30, 80), 40)).toEqual({ low: 87.5, high: 100, change: 100 })
  expect(placeInterval(row(-5), 10)).toEqual({ low: 25, high: 25, change: 25 })
  expect(placeInterval(row(null), 10)).toBeUndefined()
})
