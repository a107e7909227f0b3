import { expect, test } from 'vitest'
import { formatChangePercent, formatShare } from './quantity.ts'

test.each([
  [12.34, '+12.3 %'],
  [-4.76, '−4.8 %'],
  [0, '±0.0 %'],
  [0.04, '±0.0 %'],
  [-0.04, '±0.0 %'],
  [-0.06, '−0.1 %'],
  [14_782.3, '×149'],
])('formatChangePercent(%d) is %s', (percent, text) => {
  expect(formatChangePercent(percent)).toBe(text)
})

test.each([
  [0.000_123_4, '0.0123 %'],
  [0.049_8, '4.98 %'],
  [1, '100 %'],
  [0, '0 %'],
])('formatShare(%d) is %s', (share, text) => {
  expect(formatShare(share)).toBe(text)
})
