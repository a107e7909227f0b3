import { expect, test } from 'vitest'
import { isoTime } from './iso-time.ts'

test('times are written as toISOString writes them', () => {
  const times = [
    0, -1, 999, 86_399_999, 86_400_000, 951_782_400_007, 1_763_800_000_050, 253_402_300_800_000, -8.64e15,
  ]
  const steps = Array.from({ length: 500 }, (_, step) => 1_700_000_000_000 + step * 7_654_321)
  for (const ms of [...times, ...steps, ...times])
    expect(isoTime(new Date(ms))).toBe(new Date(ms).toISOString())
})

test('no time is refused', () => {
  expect(() => isoTime(new Date(NaN))).toThrow(RangeError)
})
