import { expect, test } from 'vitest'
import { durationTicks } from './duration-ticks.ts'

test('durationTicks() are round, begin at 0, and are not too many', () => {
  expect(durationTicks(300_000, 6)).toEqual([0, 60_000, 120_000, 180_000, 240_000, 300_000])
  expect(durationTicks(45_000, 5)).toEqual([0, 10_000, 20_000, 30_000, 40_000])
  for (const durationMs of [1, 999, 61_000, 3_599_999, 86_400_000, 604_800_000]) {
    const ticks = durationTicks(durationMs, 8)
    expect(ticks[0]).toBe(0)
    expect(ticks.length).toBeLessThanOrEqual(8)
    expect(ticks.at(-1)).toBeLessThanOrEqual(durationMs)
  }
})
