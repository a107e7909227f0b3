import { expect, test } from 'vitest'
import { segmentsOf, spanOf, tickTimes } from './phases.ts'

const axis = {
  startMs: Date.parse('2026-01-01T00:00:00.000Z'),
  endMs: Date.parse('2026-01-01T00:00:00.200Z'),
}

test('segmentsOf() lays phases one after the other, and leaves out those that took no time', () => {
  const timings = {
    blocked: null,
    dns: 0,
    connect: 20,
    tls: null,
    send: null,
    first_byte: 40,
    download: 10,
    total: 70,
  }
  const segments = segmentsOf(axis, '2026-01-01T00:00:00.100Z', timings)
  expect(segments.map(({ phase, left, width }) => [phase.key, left, width])).toEqual([
    ['connect', 50, 10],
    ['first_byte', 60, 20],
    ['download', 80, 5],
  ])
})

test('spanOf() ends where the axis does', () => {
  expect(spanOf(axis, axis.startMs + 100, 1000)).toEqual({ left: 50, width: 50 })
  expect(spanOf(axis, axis.startMs - 100, 50)).toEqual({ left: 0, width: 25 })
})

test.each([
  [1, [0, 0.2, 0.4, 0.6, 0.8, 1]],
  [730, [0, 200, 400, 600]],
  [5000, [0, 1000, 2000, 3000, 4000, 5000]],
])('tickTimes(%d) are round', (whole, ticks) => {
  expect(tickTimes(whole).map((each) => Number(each.toFixed(6)))).toEqual(ticks)
})
