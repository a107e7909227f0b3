import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { noisySeries } from '../testing/noisy-series.ts'
import { randomNumbers } from '../testing/random.ts'
import { findChangePoints } from './find-change-points.ts'
import { judgeSingleRun } from './judge-single-run.ts'
import { seededIntervals } from './seeded-intervals.ts'

const seeds = fc.integer({ min: 1, max: 1e6 })

function indicesOf(values: readonly number[]): number[] {
  return findChangePoints(values).changePoints.map(({ index }) => index)
}

function stay(level: number, runs = 20): [number, number] {
  return [runs, level]
}

/** In 100 series of 60 runs at 1,000 and 40 at the level. */
function foundIn(level: number): number[][] {
  return Array.from({ length: 100 }, (_, seed) =>
    indicesOf(noisySeries([stay(1000, 60), stay(level, 40)], { seed })),
  )
}

describe('findChangePoints()', () => {
  test('tells where, how much, how sure, and says it in words', () => {
    const values = [...Array.from({ length: 20 }, () => 100), ...Array.from({ length: 10 }, () => 110)]
    const [change, ...others] = findChangePoints(values).changePoints
    expect(others).toEqual([])
    expect(change).toMatchObject({ index: 20, direction: 'up', before: 100, after: 110 })
    expect(change?.changePercent).toBeCloseTo(10, 9)
    expect(change?.pValue).toBeLessThan(1e-9)
    expect(change?.confidenceInterval.lowPercent).toBeLessThan(10)
    expect(change?.confidenceInterval.highPercent).toBeGreaterThan(10)
    expect(change?.sentence).toMatch(
      /^From run 20 on the level is up by \+10\.0 % \(.*\), from 100 to 110: 10 runs against 20, p < 0\.001\.$/,
    )
  })

  test('finds several changes, also those that take one another back', () => {
    const values = noisySeries([
      [60, 1000],
      [40, 1100],
      [50, 1000],
      [50, 900],
    ])
    const found = findChangePoints(values).changePoints
    expect(found.map(({ direction }) => direction)).toEqual(['up', 'down', 'down'])
    for (const [at, index] of [60, 100, 150].entries()) {
      expect(Math.abs((found[at]?.index ?? 0) - index)).toBeLessThanOrEqual(3)
    }
  })

  test('nothing in short, constant or zero series, and in noise', () => {
    for (const values of [
      [],
      [1],
      [1, 2, 3, 4, 5, 6, 7],
      Array.from({ length: 50 }, () => 7),
      Array.from({ length: 50 }, () => 0),
      noisySeries([[300, 1000]]),
    ]) {
      expect(findChangePoints(values)).toEqual({ changePoints: [], switching: [] })
    }
  })

  test('a count that leaves zero is a change, though zero has no per cent', () => {
    const values = [...Array.from({ length: 20 }, () => 0), ...Array.from({ length: 20 }, () => 3)]
    expect(indicesOf(values)).toEqual([20])
    expect(findChangePoints(values).changePoints[0]?.sentence).toMatch(
      /^From run 20 on the level is up from 0 to 3: /,
    )
  })

  test('where some runs had nothing, a change is still in per cent of the level before it', () => {
    const values: number[] = Array.from({ length: 40 }, (_, run) => (run < 20 ? 10 : 20))
    values[7] = 0
    expect(findChangePoints(values).changePoints).toMatchObject([
      { index: 20, before: 10, after: 20, changePercent: 100 },
    ])
    expect(judgeSingleRun(values.slice(0, 20), 20).changePercent).toBe(100)
  })

  test('a value that is no number is refused', () => {
    expect(() => findChangePoints([1, NaN])).toThrow(
      new RangeError('Value 1 of the history is not a finite number'),
    )
  })

  test('the unit does not matter', () => {
    fc.assert(
      fc.property(seeds, fc.integer({ min: -20, max: 20 }), (seed, exponent) => {
        const values = noisySeries(
          [
            [30, 1000],
            [30, 1060],
          ],
          { seed },
        )
        expect(indicesOf(values.map((value) => value * 2 ** exponent))).toEqual(indicesOf(values))
      }),
      { numRuns: 40, seed: 1 },
    )
  })

  test('backwards, what went up goes down', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const values = noisySeries(
          [
            [40, 1000],
            [40, 1080],
          ],
          { seed },
        )
        const [forth, back] = [values, values.toReversed()].map((each) => findChangePoints(each).changePoints)
        expect(forth?.map(({ direction }) => direction)).toEqual(['up'])
        expect(back?.map(({ direction }) => direction)).toEqual(['down'])
        expect(back?.[0]?.index).toBe(80 - (forth?.[0]?.index ?? 0))
      }),
      { numRuns: 40, seed: 2 },
    )
  })

  test('one outlier, wherever it is, makes no change point', () => {
    fc.assert(
      fc.property(seeds, fc.nat(79), fc.double({ min: 1.2, max: 100, noNaN: true }), (seed, at, factor) => {
        const values = noisySeries([[80, 1000]], { seed }).map((value, run) =>
          run === at ? value * factor : value,
        )
        expect(indicesOf(values)).toEqual([])
      }),
      { numRuns: 100, seed: 3 },
    )
  })

  test('a drift is a drift, and a step on it still a step', () => {
    const drifting = noisySeries([[300, 1000]], { noisePercent: 1 }).map(
      (value, run) => value * 1.0003 ** run,
    )
    const { changePoints, drift } = findChangePoints(drifting)
    expect(changePoints).toEqual([])
    expect(drift?.percentPerRun).toBeCloseTo(0.03, 2)
    expect(drift?.sentence).toContain('drifts slowly')
    const stepping = drifting.map((value, run) => (run < 150 ? value : value * 1.1))
    const both = findChangePoints(stepping)
    expect(both.changePoints.map(({ index }) => index)).toEqual([150])
  })

  test('back and forth between two modes is switching, once there and back is two changes', () => {
    const twice = noisySeries([stay(1000), stay(1200), stay(1000)])
    expect(indicesOf(twice)).toEqual([20, 40])
    const often = noisySeries([1, 2, 3, 4, 5, 6].map((at) => stay(at % 2 === 0 ? 1200 : 1000, 28)))
    const { changePoints, switching } = findChangePoints(often)
    expect(changePoints).toEqual([])
    expect(switching).toMatchObject([{ start: 0, end: 168, switches: 5 }])
    expect(switching[0]?.lowLevel).toBeCloseTo(1000, -2)
    expect(switching[0]?.sentence).toContain('two modes, and no change')
  })

  test('5 % at 2 % noise is found in nearly all of 100 series, and nothing where there is none', () => {
    expect(foundIn(1050).filter((indices) => indices.length === 1).length).toBeGreaterThan(85)
    expect(foundIn(1000).filter((indices) => indices.length > 0).length).toBeLessThan(3)
  })

  test('the same values give the same answer, and 5,000 of them take no longer than a blink', () => {
    const random = randomNumbers(5)
    const values = noisySeries(Array.from({ length: 50 }, () => [100, 1000 + 200 * random()]))
    const began = process.threadCpuUsage()
    const first = findChangePoints(values)
    // 50 ms is the aim, and half of it is what it takes; a slow machine must not fail the test.
    expect(process.threadCpuUsage(began).user / 1000).toBeLessThan(1000)
    expect(first.changePoints.length).toBeGreaterThan(25)
    expect(findChangePoints(values)).toEqual(first)
  })
})

test('seededIntervals() cover every place in every layer, and overlap by about half', () => {
  const intervals = seededIntervals(100, 8)
  expect(intervals[0]).toEqual({ start: 0, end: 100 })
  expect(intervals.every(({ start, end }) => start >= 0 && end <= 100 && end - start >= 8)).toBe(true)
  const short = intervals.filter(({ start, end }) => end - start <= 11)
  for (let place = 0; place < 100; place += 1) {
    expect(short.some(({ start, end }) => start <= place && place < end)).toBe(true)
  }
})
