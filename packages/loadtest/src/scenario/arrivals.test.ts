import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { arbitraryOpenLoad } from '../testing/arbitrary-load.ts'
import { ArrivalSchedule, type ArrivalShare } from './arrivals.ts'
import { areaUnder, loadCurve, loadDurationMs } from './load-curve.ts'
import { load, type OpenLoad } from './load.ts'

describe('ArrivalSchedule', () => {
  test('spaces a constant rate evenly from the beginning on', () => {
    const times = timesOf(read({ type: 'constant_rate', rate_per_second: 4, duration_ms: 2000 }))
    expect(times).toEqual([0, 250, 500, 750, 1000, 1250, 1500, 1750])
  })

  test('comes ever more often on a ramp, where the area under it is whole', () => {
    const times = timesOf(
      read({
        type: 'ramping_rate',
        points: [
          { at_ms: 0, rate_per_second: 0 },
          { at_ms: 4000, rate_per_second: 4 },
        ],
      }),
    )
    expect(times.map(Math.round)).toEqual([0, 1414, 2000, 2449, 2828, 3162, 3464, 3742])
  })

  test('waits where the rate is nothing', () => {
    const times = timesOf(
      read({
        type: 'spikes',
        base_rate_per_second: 0,
        spike_rate_per_second: 20,
        first_spike_ms: 1000,
        spike_ms: 100,
        interval_ms: 1000,
        duration_ms: 3000,
      }),
    )
    expect(times.map(Math.round)).toEqual([1000, 1050, 2000, 2050])
  })

  test('has as many arrivals as there is area under the curve, to one', () => {
    fc.assert(
      fc.property(arbitraryOpenLoad, (each) => {
        const times = timesOf({ ...each, arrivals: 'constant' })
        expect(Math.abs(times.length - areaUnder(loadCurve(each)))).toBeLessThanOrEqual(1)
        expect(isRisingWithin(times, loadDurationMs(each))).toBe(true)
      }),
    )
  })

  test('Poisson arrivals rise, end with the load, and are the same for the same numbers', () => {
    fc.assert(
      fc.property(arbitraryOpenLoad, fc.integer({ min: 1, max: 1_000_000 }), (each, seed) => {
        const poisson: OpenLoad = { ...each, arrivals: 'poisson' }
        const times = timesOf(poisson, seeded(seed))
        expect(isRisingWithin(times, loadDurationMs(each))).toBe(true)
        expect(timesOf(poisson, seeded(seed))).toEqual(times)
        // Six standard deviations: for these seeds it holds or it does not, and there is no luck in it.
        const mean = areaUnder(loadCurve(each))
        expect(Math.abs(times.length - mean)).toBeLessThanOrEqual(6 * Math.sqrt(mean) + 6)
      }),
      { seed: 7 },
    )
  })

  test('Poisson gaps are spread as exponential ones are', () => {
    const rate = 100
    const times = timesOf(
      read({ type: 'constant_rate', rate_per_second: rate, duration_ms: 200_000, arrivals: 'poisson' }),
      seeded(11),
    )
    const gaps = times.map((time, index) => time - (times[index - 1] ?? 0)).toSorted((a, b) => a - b)
    const largestDistance = Math.max(
      ...gaps.map((gap, index) => Math.abs(1 - Math.exp((-rate * gap) / 1000) - (index + 0.5) / gaps.length)),
    )
    // Kolmogorov and Smirnov, at 0.1 %.
    expect(largestDistance * Math.sqrt(gaps.length)).toBeLessThan(1.95)
  })

  test('the shares of all agents are the whole, each once', () => {
    fc.assert(
      fc.property(arbitraryOpenLoad, fc.integer({ min: 1, max: 7 }), (each, agents) => {
        const shares = Array.from({ length: agents }, (_, index) =>
          timesOf(each, seeded(3), { agents, index }),
        )
        const merged = shares.flat().toSorted((a, b) => a - b)
        expect(merged).toEqual(timesOf(each, seeded(3)))
        const lengths = shares.map(({ length }) => length)
        expect(Math.max(...lengths) - Math.min(...lengths)).toBeLessThanOrEqual(1)
      }),
    )
  })

  test('tells which arrival of the whole it gave', () => {
    const each = read({ type: 'constant_rate', rate_per_second: 10, duration_ms: 1000 })
    const schedule = new ArrivalSchedule(each, Math.random, { agents: 3, index: 1 })
    const numbers: number[] = []
    while (schedule.next() !== Infinity) numbers.push(schedule.number)
    expect(numbers).toEqual([1, 4, 7])
  })
})

function read(value: object): OpenLoad {
  const each = load.parse(value)
  if (!('users_max' in each)) throw new TypeError('not open')
  return each
}

function timesOf(each: OpenLoad, random: () => number = () => NaN, share?: ArrivalShare): number[] {
  const schedule = new ArrivalSchedule(each, random, share)
  const times: number[] = []
  for (let at = schedule.next(); at !== Infinity; at = schedule.next()) times.push(at)
  return times
}

function isRisingWithin(times: readonly number[], endMs: number): boolean {
  return times.every((time, index) => time >= (times[index - 1] ?? 0) && time <= endMs)
}

/** mulberry32 */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
