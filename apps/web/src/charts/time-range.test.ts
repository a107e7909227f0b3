import { expect, test } from 'vitest'
import { panRange, parseTimeRange, partOf, stringifyTimeRange, zoomRange } from './time-range.ts'

const whole = [1000, 2000] as const

test('zoomRange() keeps the time in its place that is zoomed in on', () => {
  expect(zoomRange(whole, whole, 0.5, 1000)).toEqual([1000, 1500])
  expect(zoomRange(whole, whole, 0.5, 1500)).toEqual([1250, 1750])
  expect(zoomRange([1250, 1750], whole, 0.5, 1375)).toEqual([1312.5, 1562.5])
})

test('zoomRange() stays within the whole, and says nothing when it shows all of it', () => {
  expect(zoomRange([1000, 1400], whole, 2, 1400)).toEqual([1000, 1800])
  expect(zoomRange([1250, 1750], whole, 4, 1500)).toBeUndefined()
})

test('zoomRange() does not come closer than what there is to see', () => {
  const [from, to] = zoomRange([1500, 1500.5], whole, 0.5, 1500) ?? [0, 0]
  expect(to - from).toBeCloseTo(2)
})

test('panRange() stops at the ends', () => {
  expect(panRange([1200, 1400], whole, 100)).toEqual([1300, 1500])
  expect(panRange([1200, 1400], whole, -9999)).toEqual([1000, 1200])
  expect(panRange([1200, 1400], whole, 9999)).toEqual([1800, 2000])
  expect(panRange(whole, whole, 50)).toBeUndefined()
})

test('partOf() takes a hair of difference for the whole', () => {
  expect(partOf([1000.5, 1999.5], whole)).toBeUndefined()
  expect(partOf([1000, 1900], whole)).toEqual([1000, 1900])
})

test('a range survives the address, and what is no range is none', () => {
  const { since, until } = stringifyTimeRange([1_760_000_000.25, 1_760_086_400])
  expect(since).toBe('2025-10-09T08:53:20.250Z')
  expect(parseTimeRange(since, until)).toEqual([1_760_000_000.25, 1_760_086_400])
  expect(stringifyTimeRange(undefined)).toEqual({ since: '', until: '' })
  expect(parseTimeRange(until, since)).toBeUndefined()
  expect(parseTimeRange('yesterday', until)).toBeUndefined()
  expect(parseTimeRange(undefined, undefined)).toBeUndefined()
})
