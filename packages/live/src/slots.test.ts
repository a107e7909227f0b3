import { expect, test } from 'vitest'
import { highestOf, lowestOf, slotOf } from './slots.ts'

test('slots follow each other without a gap, and know values to a 32nd', () => {
  let next = 0
  for (let slot = 0; slot < 1500; slot++) {
    expect(lowestOf(slot)).toBe(next)
    expect(slotOf(lowestOf(slot))).toBe(slot)
    expect(slotOf(highestOf(slot))).toBe(slot)
    expect(highestOf(slot) - lowestOf(slot)).toBeLessThanOrEqual(lowestOf(slot) / 32)
    next = highestOf(slot) + 1
  }
  expect(next).toBeGreaterThan(2 ** 50)
})

test('what is larger than all that is told apart has the last slot', () => {
  expect([2 ** 58, 1e19, 1e300, Infinity].map(slotOf)).toEqual([1727, 1727, 1727, 1727])
  expect(highestOf(1727)).toBe(2 ** 58 - 1)
})

test('what is no whole number is counted as the one below', () => {
  expect([slotOf(-1), slotOf(0.9), slotOf(1e6 + 0.5)]).toEqual([0, 0, slotOf(1e6)])
})
