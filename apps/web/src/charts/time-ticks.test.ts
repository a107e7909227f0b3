import { expect, test } from 'vitest'
import { timeTicks } from './time-ticks.ts'

const hour = 3600
/** Local midnight, in Unix seconds: labels are in local time. */
const midnight = new Date(2026, 10, 20).getTime() / 1000

test('timeTicks() names the date where it changes, and times between', () => {
  expect(timeTicks([midnight - 12 * hour, midnight, midnight + 12 * hour], 12 * hour)).toEqual([
    '12:00\n19 Nov',
    '00:00\n20 Nov',
    '12:00',
  ])
})

test('timeTicks() names dates only when ticks are days apart, and months when they are months apart', () => {
  expect(timeTicks([midnight, midnight + 48 * hour], 48 * hour)).toEqual(['20 Nov', '22 Nov'])
  expect(timeTicks([midnight], 30 * 24 * hour)).toEqual(['Nov 2026'])
})

test('timeTicks() names seconds when ticks are closer than a minute', () => {
  expect(timeTicks([midnight, midnight + 5], 5)).toEqual(['00:00:00\n20 Nov', '00:00:05'])
})
