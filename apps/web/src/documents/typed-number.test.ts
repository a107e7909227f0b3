import { expect, test } from 'vitest'
import { typedMs, typedNumber } from './typed-number.ts'

test.each([
  ['', null, null],
  [' 12.5 ', 12.5, 12_500],
  ['0', 0, 0],
  // Not silently nothing, nor something else.
  ['12,5', '12,5', '12,5'],
  ['many', 'many', 'many'],
  ['1e999', '1e999', '1e999'],
])('%j is typed', (text, number, ms) => {
  expect(typedNumber(text)).toBe(number)
  expect(typedMs(text)).toBe(ms)
})
