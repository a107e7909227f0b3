import { expect, test } from 'vitest'
import { formatDuration } from './format-duration.ts'
import { formatPercent } from './format-percent.ts'

test.each([
  [0, '0 ns'],
  [0.3733, '0.3733 ns'],
  [999.96, '1 µs'],
  [12_345, '12.35 µs'],
  [1_500_000, '1.5 ms'],
  [2_000_000_000, '2 s'],
  [123_456_000_000, '123.5 s'],
])('formatDuration(%d) is %s', (ns, text) => {
  expect(formatDuration(ns)).toBe(text)
})

test.each([
  [12.34, '+12.3 %'],
  [-4.76, '−4.8 %'],
  [0, '+0.0 %'],
  [1320, '×14.2'],
])('formatPercent(%d) is %s', (percent, text) => {
  expect(formatPercent(percent)).toBe(text)
})
