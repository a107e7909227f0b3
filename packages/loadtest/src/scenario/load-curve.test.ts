import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { arbitraryClosedLoad, arbitraryOpenLoad } from '../testing/arbitrary-load.ts'
import { areaUnder, loadCurve, loadDurationMs, loadPeak, valueAt, wantedUsers } from './load-curve.ts'
import { load, type Load } from './load.ts'

const drawn = (value: object) =>
  loadCurve(load.parse(value))
    .map(({ atMs, value: at }) => `${atMs}:${at}`)
    .join(' ')

test('loadCurve() has the corners of each type', () => {
  expect(drawn({ type: 'ramp_up', users: 50, ramp_up_ms: 30_000, plateau_ms: 60_000 })).toBe(
    '0:0 30000:50 90000:50',
  )
  expect(drawn({ type: 'ramp_up', users: 50, plateau_ms: 60_000 })).toBe('0:50 60000:50')
  expect(drawn({ type: 'ramp_up_down', users: 5, ramp_up_ms: 10, plateau_ms: 20, ramp_down_ms: 30 })).toBe(
    '0:0 10:5 30:5 60:0',
  )
  expect(drawn({ type: 'stairs', users: 10, steps: 3, step_ms: 100, rise_ms: 10 })).toBe(
    '0:0 10:4 110:4 120:7 220:7 230:10 330:10',
  )
  expect(
    drawn({
      type: 'spikes',
      base_rate_per_second: 1,
      spike_rate_per_second: 9,
      first_spike_ms: 10,
      spike_ms: 5,
      interval_ms: 20,
      duration_ms: 33,
    }),
  ).toBe('0:1 10:1 10:9 15:9 15:1 30:1 30:9 33:9 33:1 33:1')
})

describe('wantedUsers()', () => {
  const ramp = load.parse({
    type: 'ramp_up_down',
    users: 3,
    ramp_up_ms: 3000,
    plateau_ms: 1000,
    ramp_down_ms: 3000,
  })

  test('begins with the first user, has the last one before the plateau, and ends with none', () => {
    const times = [0, 1, 1000, 1001, 2001, 3000, 4000, 4001, 5001, 6001, 6999, 7000]
    expect(times.map((atMs) => wantedUsers(ramp, atMs))).toEqual([0, 1, 1, 2, 3, 3, 3, 3, 2, 1, 1, 0])
  })

  test('has at a jump what comes after it', () => {
    const jump = load.parse({
      type: 'custom',
      points: [
        { at_ms: 0, users: 2 },
        { at_ms: 100, users: 2 },
        { at_ms: 100, users: 9 },
        { at_ms: 200, users: 9 },
      ],
    })
    expect([0, 99, 100, 199, 200].map((atMs) => wantedUsers(jump, atMs))).toEqual([2, 2, 9, 9, 0])
  })

  test('is none of an open load', () => {
    expect(
      wantedUsers(load.parse({ type: 'constant_rate', rate_per_second: 5, duration_ms: 1000 }), 500),
    ).toBe(0)
  })

  test('only rises on the way up, and only falls on the way down', () => {
    const time = fc.integer({ min: 1, max: 100_000 })
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 500 }), time, time, time, (users, up, plateau, down) => {
        const both = load.parse({
          type: 'ramp_up_down',
          users,
          ramp_up_ms: up,
          plateau_ms: plateau,
          ramp_down_ms: down,
        })
        const sampled = (from: number, ms: number) =>
          Array.from({ length: 40 }, (_, index) => wantedUsers(both, from + (ms * index) / 40))
        expect(isSorted(sampled(0, up))).toBe(true)
        expect(isSorted(sampled(up + plateau, down).toReversed())).toBe(true)
        expect(wantedUsers(both, up)).toBe(users)
      }),
    )
  })

  test('is never above the peak, nor anything after the end', () => {
    fc.assert(
      fc.property(arbitraryClosedLoad, fc.integer({ min: 0, max: 3_000_000 }), (each: Load, atMs) => {
        const users = wantedUsers(each, atMs)
        expect(Number.isInteger(users)).toBe(true)
        expect(users).toBeGreaterThanOrEqual(0)
        expect(users).toBeLessThanOrEqual(loadPeak(each))
        expect(wantedUsers(each, loadDurationMs(each) + atMs)).toBe(0)
      }),
    )
  })
})

test('areaUnder() is the sum of what is under short pieces of the curve', () => {
  fc.assert(
    fc.property(fc.oneof(arbitraryClosedLoad, arbitraryOpenLoad), (each: Load) => {
      const curve = loadCurve(each)
      const pieces = 20_000
      const pieceMs = loadDurationMs(each) / pieces
      let sum = 0
      for (let piece = 0; piece < pieces; piece++)
        sum += (valueAt(curve, (piece + 0.5) * pieceMs) * pieceMs) / 1000
      // A piece with a jump in it is off by the jump.
      const slack = (loadPeak(each) * pieceMs * (curve.length + 1)) / 1000
      expect(Math.abs(areaUnder(curve) - sum)).toBeLessThanOrEqual(slack + 1e-6)
    }),
    { numRuns: 50 },
  )
})

function isSorted(values: readonly number[]): boolean {
  return values.every((value, index) => index === 0 || value >= (values[index - 1] ?? 0))
}
