import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { histogramDifference, mergeHistograms } from './histogram-sum.ts'
import {
  countOf,
  deviationOf,
  distributionBars,
  maxOf,
  meanOf,
  minOf,
  percentileCurve,
  percentileOf,
  percentilesOf,
  shareWithin,
} from './histogram-values.ts'
import { histogramOf } from './testing/make-ticks.ts'

const value = fc.oneof(fc.nat(3_000), fc.nat(100_000_000), fc.nat(2 ** 31 - 1))
const values = fc.array(value, { minLength: 1, maxLength: 300 })

/** Within a thousandth, or one, of which the slots below 2,048 are. */
const within = (wanted: number) => expect.toSatisfy((got: number) => Math.abs(got - wanted) <= wanted / 1_000)

describe('a sum of histograms', () => {
  test('is the histogram of all values, in whichever order and grouping', () => {
    fc.assert(
      fc.property(values, values, values, (a, b, c) => {
        const [x, y, z] = [a, b, c].map(histogramOf)
        if (!x || !y || !z) return
        const all = histogramOf([...a, ...b, ...c])
        expect(mergeHistograms([x, y, z])).toEqual(all)
        expect(mergeHistograms([z, mergeHistograms([y, x])])).toEqual(all)
        expect(mergeHistograms([mergeHistograms([x, z]), y])).toEqual(all)
      }),
    )
  })

  test('of one and what it differs by from another is the other', () => {
    fc.assert(
      fc.property(values, values, (a, b) => {
        const [from, to] = [histogramOf(a), histogramOf(b)]
        expect(mergeHistograms([from, histogramDifference(from, to)])).toEqual(to)
      }),
    )
  })

  test('leaves nothing behind for the next one', () => {
    mergeHistograms([histogramOf([5, 1_000_000])])
    expect(mergeHistograms([histogramOf([7])])).toEqual(histogramOf([7]))
  })
})

describe('values of a histogram', () => {
  test('are within a thousandth of those that were recorded', () => {
    fc.assert(
      fc.property(values, fc.double({ min: 0, max: 100, noNaN: true }), (recorded, percent) => {
        const sorted = recorded.toSorted((a, b) => a - b)
        const histogram = histogramOf(recorded)
        const rank = Math.max(1, Math.ceil((percent / 100) * sorted.length - 1e-9))
        expect(percentileOf(histogram, percent)).toEqual(within(sorted[rank - 1] ?? NaN))
        expect(minOf(histogram)).toEqual(within(sorted[0] ?? NaN))
        expect(maxOf(histogram)).toEqual(within(sorted.at(-1) ?? NaN))
        const mean = sorted.reduce((sum, each) => sum + each, 0) / sorted.length
        expect(meanOf(histogram)).toEqual(within(mean))
        expect(countOf(histogram)).toBe(recorded.length)
      }),
    )
  })

  test('are not there of none', () => {
    const none = histogramOf([])
    expect([minOf(none), maxOf(none), meanOf(none), deviationOf(none), percentileOf(none, 50)]).toEqual([
      null,
      null,
      null,
      null,
      null,
    ])
    expect([shareWithin(none, 1), distributionBars(none, 10), percentileCurve(none)]).toEqual([null, [], []])
  })

  test('percentiles in any order, at the ends and at round ranks', () => {
    const thousand = histogramOf(Array.from({ length: 1_000 }, (_, index) => index + 1))
    expect(percentilesOf(thousand, [99.9, 50, 0, 100, 99])).toEqual([999, 500, 1, 1_000, 990])
  })

  test('the deviation is that of all values', () => {
    expect(deviationOf(histogramOf([100, 200, 300, 400]))).toBeCloseTo(111.803, 3)
  })

  test('the share within a value has those of that value', () => {
    const histogram = histogramOf([100, 200, 300, 400])
    expect([99, 100, 299.9, 300, 1e12, -1].map((limit) => shareWithin(histogram, limit))).toEqual([
      0, 0.25, 0.5, 0.75, 1, 0,
    ])
  })
})

describe('a distribution', () => {
  test('has bars of equal round width, with every value in one', () => {
    expect(distributionBars(histogramOf([5, 12, 13, 38]), 4)).toEqual([
      { fromUs: 0, toUs: 10, count: 1 },
      { fromUs: 10, toUs: 20, count: 2 },
      { fromUs: 20, toUs: 30, count: 0 },
      { fromUs: 30, toUs: 40, count: 1 },
    ])
    fc.assert(
      fc.property(values, fc.integer({ min: 1, max: 200 }), (recorded, barsMax) => {
        const bars = distributionBars(histogramOf(recorded), barsMax)
        expect(bars.reduce((sum, { count }) => sum + count, 0)).toBe(recorded.length)
        expect(bars.length).toBeLessThanOrEqual(barsMax + 1)
      }),
    )
  })

  test('as a curve goes from the smallest to the largest, and never down', () => {
    const curve = percentileCurve(histogramOf(Array.from({ length: 1_000 }, (_, index) => index + 1)))
    expect(curve.slice(0, 7).map(({ percent }) => percent)).toEqual([0, 10, 20, 30, 40, 50, 55])
    expect(curve.at(0)?.valueUs).toBe(1)
    expect(curve.at(-1)).toEqual({ percent: 100, valueUs: 1_000 })
    expect(curve.map(({ valueUs }) => valueUs)).toEqual(
      curve.map(({ valueUs }) => valueUs).toSorted((a, b) => a - b),
    )
  })
})
