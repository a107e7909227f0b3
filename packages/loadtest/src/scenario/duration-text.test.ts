import { expect, test } from 'vitest'
import { durationText, readDuration } from './duration-text.ts'

test.each([
  [0, '0 s'],
  [250, '250 ms'],
  [1500, '1.5 s'],
  [30_000, '30 s'],
  [90_000, '1 min 30 s'],
  [5_400_000, '1 h 30 min'],
  [60_500, '1 min 500 ms'],
])('%i ms are %s', (durationMs, text) => {
  expect(durationText(durationMs)).toBe(text)
})

test('what is written is read as the same', () => {
  for (let durationMs = 0; durationMs < 20_000_000; durationMs += 997)
    expect(readDuration(durationText(durationMs))).toBe(durationMs)
})

test.each([
  ['90', 90_000],
  ['1h30m', 5_400_000],
  ['2 MIN', 120_000],
  ['0.5s', 500],
  ['1 d', 86_400_000],
  ['soon', undefined],
  ['5 parsecs', undefined],
  ['', undefined],
])('“%s” is %s ms', (text, durationMs) => {
  expect(readDuration(text)).toBe(durationMs)
})
