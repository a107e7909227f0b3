import * as benchmarks from '@flamegate/benchmarks'
import { formatChangePercent, formatQuantity } from '@flamegate/contract'
import { expect, test } from 'vitest'

// Reasons are written in packages/benchmarks, tables from the contract: side by side they must not differ.

const sizes = [
  0, 0.3733, 1, 12, 999.96, 1000, 1023.99, 1536, 12_345.678, 999_999, 1e6, 12_345_678, 123e9, 5e13,
]

test.each(['ns', 'B', '', 'instructions'])(
  'a quantity in "%s" reads the same in sentences and tables',
  (unit) => {
    const values = [...sizes, ...sizes.map((size) => -size)]
    expect(values.map((value) => benchmarks.formatQuantity(value, unit))).toEqual(
      values.map((value) => formatQuantity(value, unit)),
    )
  },
)

test('and so does a change', () => {
  const percents = [0, 0.04, -0.04, -0.06, 12.34, -99.99, 999.9, 1000, 14_782.3, 1e8]
  expect(percents.map(benchmarks.formatPercent)).toEqual(percents.map(formatChangePercent))
})
