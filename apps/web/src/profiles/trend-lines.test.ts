import { expect, test } from 'vitest'
import { trendEnds, trendScale } from './trend-lines.ts'

const hour = 3_600_000
const mib = 1024 * 1024

test('all lines fit between 0 and a round number of bytes', () => {
  const lines = [{ name: 'leak', values: [mib, 7 * mib], slopePerHour: 6 * mib }]
  const { x, y, yTicks } = trendScale([0, hour, 2 * hour], lines)
  expect(yTicks).toEqual([0, 2 * mib, 4 * mib, 6 * mib, 8 * mib])
  expect([y(0), y(4 * mib), y(8 * mib)]).toEqual([0, 0.5, 1])
  expect([x(0), x(hour), x(2 * hour)]).toEqual([0, 0.5, 1])
})

test('a trend goes through the middle of its values, whatever one of them is', () => {
  const line = { name: 'leak', values: [10, 20, 900, 40, 50], slopePerHour: 10 }
  expect(
    trendEnds(
      [0, 1, 2, 3, 4].map((hours) => hours * hour),
      line,
    ),
  ).toEqual([10, 50])
})
