import { expect, test } from 'vitest'
import { formatPercent, formatValue, percentOf } from './format-value.ts'

test.each<[value: number, unit: string, text: string]>([
  [0, 'nanoseconds', '0 ms'],
  [0.25, 'nanoseconds', '0.3 ns'],
  [999, 'nanoseconds', '999 ns'],
  [1500, 'nanoseconds', '1.5 µs'],
  [468_512_000, 'nanoseconds', '468.5 ms'],
  [213_000, 'microseconds', '213 ms'],
  [999_960, 'microseconds', '1 s'],
  [2.13, 'seconds', '2.1 s'],
  [7_200_000, 'milliseconds', '7,200 s'],
  [-1500, 'ns', '-1.5 µs'],
  [0, 'bytes', '0 B'],
  [1023, 'bytes', '1,023 B'],
  [1024, 'bytes', '1 KiB'],
  [10_553_000, 'bytes', '10.1 MiB'],
  [5 * 1024 ** 4, 'bytes', '5 TiB'],
  [12_345, 'count', '12,345'],
  [1234.56, '', '1,234.6'],
  [12_345, 'cycles', '12,345 cycles'],
  [3e20, 'count', '3.00000e+20'],
])('%d %s is %s', (value, unit, text) => {
  expect(formatValue(value, unit)).toBe(text)
})

test('percentages have two decimals, and are 0 of nothing', () => {
  expect(formatPercent(percentOf(2205, 10_000))).toBe('22.05%')
  expect(formatPercent(percentOf(5, 0))).toBe('0.00%')
})
