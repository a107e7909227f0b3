import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findKnee } from './knee.ts'
import { loadLevels } from './load-levels.ts'
import type { Moment } from './measured-run.ts'
import { normalOf, randomOf } from './testing/simulated-run.ts'

/** A ramp from `lowest` to `highest`, a moment each second, with latencies as the curve says. */
function ramp(
  latencyOf: (load: number) => number,
  { lowest = 1, highest = 100, seconds = 100 }: { lowest?: number; highest?: number; seconds?: number } = {},
): Moment[] {
  return Array.from({ length: seconds }, (_, second) => {
    const load = lowest + ((highest - lowest) * second) / (seconds - 1)
    const latency = latencyOf(load)
    return {
      second,
      seconds: 1,
      count: 50,
      load,
      ratePerSecond: load,
      p50Ms: latency / 2,
      p95Ms: latency,
      errorShare: 0,
    }
  })
}

const kneeOf = (moments: Moment[]) => findKnee(loadLevels(moments))

/** The load at which a curve is farthest below the straight line between its ends, looked for in small steps. */
function farthestBelow(latencyOf: (load: number) => number, lowest: number, highest: number): number {
  const [low, high] = [latencyOf(lowest), latencyOf(highest)]
  const loads = Array.from({ length: 10_000 }, (_, at) => lowest + ((highest - lowest) * at) / 9999)
  const below = (load: number) =>
    (load - lowest) / (highest - lowest) - (latencyOf(load) - low) / (high - low)
  return loads.reduce((best, load) => (below(load) > below(best) ? load : best))
}

const queueLatency = (rate: number) => 1000 / (105 - rate)

describe('findKnee()', () => {
  test('finds the knee of a queue (M/M/1) where its curve is farthest below the diagonal', () => {
    const knee = kneeOf(ramp(queueLatency))
    expect(knee.outcome).toBe('seen')
    const wanted = farthestBelow(queueLatency, 1, 100)
    // One level is 5 wide.
    expect(Math.abs((knee.outcome === 'seen' ? knee.level.load : 0) - wanted)).toBeLessThanOrEqual(5)
  })

  test('finds where a flat line begins to rise, also under noise, and says when that was', () => {
    fc.assert(
      fc.property(fc.integer({ min: 30, max: 75 }), fc.integer({ min: 1, max: 1e6 }), (at, seed) => {
        const random = randomOf(seed)
        const knee = kneeOf(
          ramp((load) => (20 + 3 * Math.max(0, load - at)) * Math.exp(0.1 * normalOf(random))),
        )
        expect(knee.outcome).toBe('seen')
        if (knee.outcome !== 'seen') return
        expect(Math.abs(knee.level.load - at)).toBeLessThanOrEqual(8)
        expect(Math.abs(knee.level.second - at)).toBeLessThanOrEqual(10)
      }),
      { numRuns: 200, seed: 1 },
    )
  })

  test('sees none where latency stays, however noisy', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), (seed) => {
        const random = randomOf(seed)
        expect(kneeOf(ramp(() => 20 * Math.exp(0.1 * normalOf(random))))).toMatchObject({
          outcome: 'none',
          why: 'flat',
        })
      }),
      { numRuns: 200, seed: 2 },
    )
  })

  test('sees none in a straight line, nor where latency rises less and less', () => {
    expect(kneeOf(ramp((load) => load))).toMatchObject({ outcome: 'none', why: 'steady' })
    expect(kneeOf(ramp((load) => 10 * Math.sqrt(load)))).toMatchObject({ outcome: 'none', why: 'steady' })
  })

  test('cannot tell from too few loads, or from loads that are all alike', () => {
    const stairs = [10, 20, 30].flatMap((load) =>
      ramp(() => load, { lowest: load, highest: load, seconds: 20 }),
    )
    expect(kneeOf(stairs)).toMatchObject({ outcome: 'unknown', levelCount: 3 })
    expect(kneeOf(ramp((load) => load, { lowest: 90, highest: 100 }))).toMatchObject({ outcome: 'unknown' })
    expect(kneeOf([])).toEqual({ outcome: 'unknown', levelCount: 0, loadRange: 0 })
  })

  test('does not take for the knee what is slow because of an overload that is over', () => {
    const rising = ramp((load) => 20 + 3 * Math.max(0, load - 60))
    const falling = ramp(() => 140).map((moment, index) => ({
      ...moment,
      load: 100 - index,
      second: 100 + index,
    }))
    const knee = kneeOf([...rising, ...falling])
    expect(Math.abs((knee.outcome === 'seen' ? knee.level.load : 0) - 60)).toBeLessThanOrEqual(5)
  })

  test('does not depend on the units', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.001, max: 1000, noNaN: true }),
        fc.double({ min: 0.01, max: 100, noNaN: true }),
        (time, load) => {
          const plain = kneeOf(ramp((each) => 20 + 3 * Math.max(0, each - 60)))
          const scaled = kneeOf(
            ramp((each) => time * (20 + 3 * Math.max(0, each / load - 60)), {
              lowest: load,
              highest: 100 * load,
            }),
          )
          const [first, second] = [plain, scaled].map((knee) =>
            knee.outcome === 'seen' ? knee.level.second : NaN,
          )
          expect(Math.abs((second ?? NaN) - (first ?? NaN))).toBeLessThanOrEqual(5)
        },
      ),
      { numRuns: 50, seed: 3 },
    )
  })
})
