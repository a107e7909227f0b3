import { expect, test } from 'vitest'
import { formatNoise, formatPercent } from './format-percent.ts'
import { formatQuantity } from './format-quantity.ts'

test.each([
  [0, '0 ns'],
  [0.3733, '0.3733 ns'],
  [999.96, '1 µs'],
  [12_345, '12.35 µs'],
  [1_500_000, '1.5 ms'],
  [2_000_000_000, '2 s'],
  [123_456_000_000, '123.5 s'],
])('formatQuantity(%d, "ns") is %s', (ns, text) => {
  expect(formatQuantity(ns, 'ns')).toBe(text)
})

test.each([
  [12.34, '+12.3 %'],
  [-4.76, '−4.8 %'],
  [0, '±0.0 %'],
  [-0.04, '±0.0 %'],
  [1320, '×14.2'],
  [14_782.3, '×149'],
  [1e8, '×1,000,000'],
])('formatPercent(%d) is %s', (percent, text) => {
  expect(formatPercent(percent)).toBe(text)
})

test.each([
  [0.0084, '0.84 %'],
  [0.123, '12 %'],
  [0.02, '2 %'],
])('formatNoise(%d) is %s', (share, text) => {
  expect(formatNoise(share)).toBe(text)
})

test.each([
  [1500, 'ns', '1.5 µs'],
  [1536, 'B', '1.5 KiB'],
  [12, 'B', '12 B'],
  [3 * 2 ** 30, 'B', '3 GiB'],
  [12_345_678, 'instructions', '12,350,000 instructions'],
  [0.25, '', '0.25'],
])('formatQuantity(%d, "%s") is %s', (value, unit, text) => {
  expect(formatQuantity(value, unit)).toBe(text)
})
