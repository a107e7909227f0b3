import { expect, test } from 'vitest'
import { formatChangePercent } from './quantity.ts'

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
