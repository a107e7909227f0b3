import { expect, test } from 'vitest'
import { Lane, Line } from './line.ts'

const megabyte = 1_000_000

test('bytes take as long as their number says, one after the other', () => {
  const lane = new Lane(8 * megabyte)
  expect(lane.take(megabyte, 5000)).toBe(6000)
  // Of another connection: behind those of the first.
  expect(lane.take(megabyte / 2, 5100)).toBe(6500)
  expect(lane.busyMs(5100)).toBe(1400)
  // What was not used is gone: there is no reserve.
  expect(lane.take(megabyte, 9000)).toBe(10_000)
  expect(lane.busyMs(20_000)).toBe(0)
})

test('small bytes add up to what many at once take', () => {
  const lane = new Lane(1000)
  let at = 0
  for (let count = 0; count < 250; count++) at = lane.take(1, 0)
  expect(at).toBeCloseTo(2000)
})

test('without a limit they take no time, and go as one', () => {
  const { down, up, roundTripMs } = new Line({
    download_bits_per_second: null,
    upload_bits_per_second: 1_000_000,
    latency_ms: 80,
  })
  expect([down.take(megabyte, 7), down.pieceBytes, roundTripMs]).toEqual([7, Infinity, 80])
  expect(up.take(125_000, 0)).toBe(1000)
})
