import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { describeRounds, medianAbsoluteDeviation, quantile } from './describe-rounds.ts'
import { mannWhitneyPValue, smallestPValue } from './mann-whitney.ts'
import { medianRatio } from './hodges-lehmann.ts'
import { normalCdf, normalQuantile } from './normal-distribution.ts'
import { noisyRounds, randomNumbers } from '../testing/random.ts'
import { studentTCdf, studentTQuantile } from './student-t-distribution.ts'
import { welchRatio } from './welch-t-test.ts'

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

test('describeRounds() of one round has no deviation', () => {
  expect(describeRounds([5])).toEqual({
    minNs: 5,
    maxNs: 5,
    meanNs: 5,
    medianNs: 5,
    q1Ns: 5,
    q3Ns: 5,
    rounds: 1,
  })
})

test('the median absolute deviation is not moved by one outlier', () => {
  expect(medianAbsoluteDeviation([1, 2, 3, 4, 5])).toBe(1)
  expect(medianAbsoluteDeviation([1, 2, 3, 4, 5000])).toBe(1)
})

describe('mannWhitneyPValue()', () => {
  test('few rounds: counted out, as in the tables', () => {
    // 2 of the C(8, 4) = 70 orders are this extreme.
    expect(mannWhitneyPValue([1, 2, 3, 4], [5, 6, 7, 8])).toBeCloseTo(2 / 70, 12)
    expect(smallestPValue(4, 4)).toBeCloseTo(2 / 70, 12)
    // U = 1 of 3 × 4: 2 × 2 / C(7, 3).
    expect(mannWhitneyPValue([1, 2, 4], [3, 5, 6, 7])).toBeCloseTo(4 / 35, 12)
  })

  test('only ties: nothing can be told', () => {
    expect(mannWhitneyPValue([5, 5, 5], [5, 5, 5])).toBe(1)
    expect(
      mannWhitneyPValue(
        Array.from({ length: 40 }, () => 5),
        Array.from({ length: 40 }, () => 5),
      ),
    ).toBe(1)
  })

  test('the approximation for many rounds is close to the count for few', () => {
    const base = Array.from({ length: 15 }, (_, index) => index * 1.01)
    const head = Array.from({ length: 15 }, (_, index) => index + 3.3)
    const exact = mannWhitneyPValue(base, head)
    // The same overlap with 17 + 17 rounds is beyond what is counted out.
    const approximate = mannWhitneyPValue([...base, 3.1, 11.1], [...head, 6.2, 14.2])
    expect(Math.abs(exact - approximate)).toBeLessThan(0.06)
  })

  test('is the same when the sides are swapped, and between 0 and 1', () => {
    const rounds = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 25 })
    fc.assert(
      fc.property(rounds, rounds, (base, head) => {
        const pValue = mannWhitneyPValue(base, head)
        expect(pValue).toBeCloseTo(mannWhitneyPValue(head, base), 10)
        expect(pValue).toBeGreaterThan(0)
        expect(pValue).toBeLessThanOrEqual(1)
      }),
    )
  })
})

/** Of rounds that are compared with themselves. */
function intervalWidth(count: number): number {
  const { low, high } = medianRatio(evenRounds(count), evenRounds(count), 0.95)
  return high - low
}

function evenRounds(count: number): number[] {
  return Array.from({ length: count }, (_, index) => 100 + (index / count) * 20)
}

describe('medianRatio()', () => {
  const rounds = fc.array(fc.double({ min: 1, max: 1e6, noNaN: true }), { minLength: 4, maxLength: 60 })

  test('takes the pairs that the tables of U give: with 5 and 5 rounds, 2 of 25 are outside on each side', () => {
    // All ratios differ: powers of two over ones that are a little apart.
    const base = [1, 1.01, 1.02, 1.03, 1.04]
    const head = [2, 4, 8, 16, 32]
    const ratios = head.flatMap((slow) => base.map((fast) => slow / fast)).toSorted((a, b) => a - b)
    const { ratio, low, high } = medianRatio(base, head, 0.95)
    expect(ratio).toBeCloseTo(8 / 1.02, 9)
    expect(low).toBeCloseTo(ratios[2] ?? 0, 9)
    expect(high).toBeCloseTo(ratios.at(-3) ?? 0, 9)
  })

  test('lies within its interval, and is turned over by a swap', () => {
    fc.assert(
      fc.property(rounds, rounds, (base, head) => {
        const there = medianRatio(base, head, 0.95)
        const back = medianRatio(head, base, 0.95)
        expect(there.low).toBeLessThanOrEqual(there.ratio)
        expect(there.high).toBeGreaterThanOrEqual(there.ratio)
        expect(there.ratio * back.ratio).toBeCloseTo(1, 9)
        expect(there.low * back.high).toBeCloseTo(1, 6)
      }),
    )
  })

  test('one slow round of eight does not hide a change that all others show', () => {
    const { low, high } = medianRatio(
      [10, 10.1, 10.2, 9.9, 10, 10, 9.8, 31],
      [15, 15.1, 14.9, 15.2, 15, 15.1, 15, 14.8],
      0.95,
    )
    expect(low).toBeGreaterThan(1.3)
    expect(high).toBeLessThan(1.6)
  })

  test('many rounds: the interval is as narrow as their number allows, though quantiles stand for them', () => {
    expect(intervalWidth(20_000)).toBeLessThan(intervalWidth(500) / 4)
    expect(intervalWidth(500)).toBeLessThan(intervalWidth(30) / 2)
  })

  test('holds the true ratio about as often as it says', () => {
    const random = randomNumbers(11)
    const hits = Array.from({ length: 1000 }, () => {
      const base = noisyRounds(random, { centerNs: 100, spread: 0.1, count: 8 })
      const head = noisyRounds(random, { centerNs: 120, spread: 0.1, count: 8 })
      const { low, high } = medianRatio(base, head, 0.95)
      return low <= 1.2 && high >= 1.2
    })
    expect(hits.filter(Boolean).length).toBeGreaterThan(930)
  })
})

describe('welchRatio()', () => {
  test('without any spread a difference is certain', () => {
    expect(
      welchRatio({ mean: 1, stdev: 0, rounds: 3 }, { mean: 2, stdev: 0, rounds: 3 }, 0.95),
    ).toMatchObject({
      ratio: 2,
      pValue: 0,
    })
  })

  test('equal means are no evidence', () => {
    const side = { mean: 10, stdev: 2, rounds: 20 }
    expect(welchRatio(side, side, 0.95).pValue).toBeCloseTo(1, 9)
  })

  test('the interval excludes 1 exactly when the test rejects', () => {
    const sides = fc.record({
      mean: fc.double({ min: 90, max: 110, noNaN: true }),
      stdev: fc.double({ min: 0.5, max: 20, noNaN: true }),
      rounds: fc.integer({ min: 2, max: 60 }),
    })
    fc.assert(
      fc.property(sides, sides, (base, head) => {
        const { low, high, pValue } = welchRatio(base, head, 0.95)
        fc.pre(Math.abs(pValue - 0.05) > 1e-6)
        expect(low > 1 || high < 1).toBe(pValue < 0.05)
      }),
    )
  })
})
