import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { describeRounds, quantile, sortedCopy } from './describe-rounds.ts'
import { normalCdf, normalQuantile } from './normal-distribution.ts'
import { normalNumber, randomNumbers } from '../testing/random.ts'
import { benjaminiHochberg } from './benjamini-hochberg.ts'
import { dip } from './dip-test.ts'
import { logMedian } from './log-median.ts'
import {
  studentTCdf,
  studentTQuantile,
  studentTTwoSided,
  twoSidedQuantiles,
} from './student-t-distribution.ts'

describe('distributions agree with published tables', () => {
  test.each([
    [0.9, 1.2816],
    [0.975, 1.96],
    [0.995, 2.5758],
  ])('normal: %f below %f', (p, z) => {
    expect(normalQuantile(p)).toBeCloseTo(z, 3)
    expect(normalCdf(z)).toBeCloseTo(p, 4)
    expect(normalCdf(-z)).toBeCloseTo(1 - p, 4)
  })

  test.each([
    [0.975, 1, 12.706],
    [0.975, 5, 2.571],
    [0.95, 10, 1.812],
    [0.975, 30, 2.042],
    [0.995, 120, 2.617],
  ])("Student's t: %f with %d degrees of freedom below %f", (p, df, t) => {
    expect(studentTQuantile(p, df)).toBeCloseTo(t, 3)
    expect(studentTCdf(t, df)).toBeCloseTo(p, 4)
  })
})

test('quantiles are linear between neighbours', () => {
  expect([0, 0.25, 0.5, 1].map((q) => quantile([1, 2, 3, 10], q))).toEqual([1, 1.75, 2.5, 10])
})

test('sortedCopy() sorts few and many alike, by number, and leaves the original', () => {
  const numbers = fc.array(fc.integer(), { maxLength: 150 })
  fc.assert(
    fc.property(numbers, (values) => {
      const before = [...values]
      expect(sortedCopy(values)).toEqual(Array.from(Float64Array.from(values).toSorted(), (value) => value))
      expect(values).toEqual(before)
    }),
  )
})

test('describeRounds() of one round has no deviation', () => {
  expect(describeRounds([5])).toEqual({
    min: 5,
    max: 5,
    mean: 5,
    median: 5,
    q1: 5,
    q3: 5,
    rounds: 1,
  })
})

// Expected values of the tests below: SciPy 1.17.
test("Student's t agrees with SciPy where it is tiny and where degrees of freedom are not whole", () => {
  expect(studentTTwoSided(2.5, 7.3)).toBeCloseTo(0.03965023466560043, 12)
  expect(studentTTwoSided(12, 30) / 5.580185415199261e-13).toBeCloseTo(1, 8)
  expect(studentTQuantile(0.975, 2.5)).toBeCloseTo(3.5746548420036817, 9)
  expect(studentTQuantile(0.005, 4.2)).toBeCloseTo(-4.4577703053188795, 8)
  expect(studentTQuantile(0.5, 4)).toBeCloseTo(0, 9)
  const reach = twoSidedQuantiles(0.95)
  expect([reach(10), reach(10)]).toEqual([
    expect.closeTo(2.2281388519862744, 8),
    expect.closeTo(2.2281388519862744, 8),
  ])
})

describe('benjaminiHochberg()', () => {
  test('agrees with scipy.stats.false_discovery_control, with ties and in any order', () => {
    const pValues = [0.01, 0.8, 0.03, 0.03, 0.002, 0.5]
    expect(pValues.map(benjaminiHochberg(pValues))).toEqual(
      [0.03, 0.8, 0.045, 0.045, 0.012, 0.6].map((expected) => expect.closeTo(expected, 12)),
    )
  })

  test('never makes a p-value smaller, and keeps their order', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1 }), (pValues) => {
        const sorted = pValues.toSorted((a, b) => a - b)
        const adjusted = sorted.map(benjaminiHochberg(pValues))
        expect(adjusted).toEqual(adjusted.toSorted((a, b) => a - b))
        for (const [index, pValue] of sorted.entries()) {
          expect(adjusted[index]).toBeGreaterThanOrEqual(pValue * (1 - 1e-12))
          expect(adjusted[index]).toBeLessThanOrEqual(1)
        }
      }),
    )
  })

  test('keeps the share of false discoveries at what is asked', () => {
    const random = randomNumbers(17)
    const shares = Array.from({ length: 200 }, () => {
      // 150 of 200 have no effect; the others are shifted by three standard errors.
      const pValues = Array.from({ length: 200 }, (_, index) => {
        const z = Math.abs(normalNumber(random) + (index < 50 ? 3 : 0))
        return 2 * (1 - normalCdf(z))
      })
      const found = pValues.map(benjaminiHochberg(pValues)).map((adjusted) => adjusted < 0.1)
      const all = found.filter(Boolean).length
      return all === 0 ? 0 : found.slice(50).filter(Boolean).length / all
    })
    const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length
    expect(mean).toBeLessThan(0.1)
    expect(mean).toBeGreaterThan(0.04)
  })
})

describe('logMedian()', () => {
  test('of twenty rounds: the sixth from either end, 2.04 standard errors off the middle', () => {
    const sorted = Array.from({ length: 20 }, (_, index) => Math.exp(index / 100))
    const { median, logVariance } = logMedian(sorted)
    expect(Math.log(median)).toBeCloseTo(0.095, 4)
    // (0.14 − 0.05) ÷ (2 · Φ⁻¹(1 − P(Binomial(20, ½) ≤ 5)))
    expect(Math.sqrt(logVariance)).toBeCloseTo(0.022063071857831167, 7)
  })

  test('of five rounds: their median absolute deviation', () => {
    const { logVariance } = logMedian([98, 99, 100, 102, 160])
    expect(Math.sqrt(logVariance)).toBeCloseTo(
      (((Math.sqrt(Math.PI / 2) * 1.4826 * 2) / 100) * 5) / 4.2 / Math.sqrt(5),
      12,
    )
  })

  test('the error is that of the median of normal rounds, √(π ÷ 2) · σ ÷ √n, about', () => {
    const random = randomNumbers(21)
    for (const count of [7, 8, 30, 900, 1200]) {
      const variances = Array.from({ length: 300 }, () => {
        const rounds = Array.from({ length: count }, () => Math.exp(0.05 * normalNumber(random)))
        return logMedian(sortedCopy(rounds)).logVariance
      })
      const mean = variances.reduce((sum, variance) => sum + variance, 0) / variances.length
      const expected = ((Math.PI / 2) * 0.05 ** 2) / count
      expect(mean / expected).toBeGreaterThan(0.8)
      expect(mean / expected).toBeLessThan(1.6)
    }
  })
})

describe('dip()', () => {
  test('agrees with the linear programme that fits the nearest unimodal distribution', () => {
    expect(dip([1, 2, 4, 9, 10, 11, 13, 30])).toBeCloseTo(0.1171875, 9)
    expect(dip([2, 3, 3, 4, 20, 21, 22, 22, 23, 40])).toBeCloseTo(0.17777777777777778, 9)
    expect(dip([1, 1, 2, 2, 2, 3, 9, 9, 10, 10, 10, 11])).toBeCloseTo(0.1875, 9)
    expect(dip([0, 7, 8, 8, 9, 15, 16, 24, 25, 26, 27, 35, 60])).toBeCloseTo(0.11538461538461535, 9)
  })

  test('is the least for evenly spaced rounds and the largest for two points', () => {
    expect(dip([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])).toBeCloseTo(1 / 20, 12)
    expect(dip([1, 1, 1, 5, 5, 5])).toBeCloseTo(1 / 4, 12)
    expect(dip([3, 3, 3])).toBeCloseTo(1 / 6, 12)
  })

  test('does not see unit or place', () => {
    const rounds = fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 1, maxLength: 40 })
    fc.assert(
      fc.property(rounds, (values) => {
        const sorted = values.toSorted((a, b) => a - b)
        const moved = sorted.map((value) => 64 * value + 512)
        expect(dip(moved)).toBeCloseTo(dip(sorted), 9)
        expect(dip(sorted.map((value) => -value).toReversed())).toBeCloseTo(dip(sorted), 9)
      }),
    )
  })
})
