import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { evaluateThreshold } from './evaluate-threshold.ts'
import { thresholdFault, thresholdTests } from './threshold.ts'
import type { Threshold, ThresholdTest } from './threshold.ts'

const history = [1, 2, 3, 4, 5]

function limitsOf(
  name: ThresholdTest,
  boundary: number,
  values: readonly number[] = history,
): (number | undefined)[] {
  const threshold = { test: name, lowerBoundary: boundary, upperBoundary: boundary }
  const { baseline, lowerLimit, upperLimit } = evaluateThreshold(values, 3, threshold)
  return [baseline, lowerLimit, upperLimit].map((limit) => limit && Number(limit.toFixed(4)))
}

describe('evaluateThreshold()', () => {
  test('static: the boundaries are the limits, with no history at all', () => {
    const threshold = { test: 'static', lowerBoundary: -5, upperBoundary: 5 } as const
    expect(evaluateThreshold([], 7, threshold)).toEqual({
      isEvaluated: true,
      crossed: 'upper',
      lowerLimit: -5,
      upperLimit: 5,
      sampleSize: 0,
      sentence: '7 is above the upper limit 5 (static).',
    })
    expect(evaluateThreshold([], 5, threshold).crossed).toBeUndefined()
    expect(evaluateThreshold([], -5.1, threshold).crossed).toBe('lower')
  })

  test('percentage: a share of the mean', () => {
    expect(limitsOf('percentage', 0.1)).toEqual([3, 2.7, 3.3])
    expect(limitsOf('percentage', 0.1, [-10])).toEqual([-10, -11, -9])
  })

  test('z_score: multiples of √2, the standard deviation with divisor n', () => {
    // Φ⁻¹(0.975) = 1.95996.
    expect(limitsOf('z_score', 0.975)).toEqual([3, 0.2282, 5.7718])
    expect(limitsOf('z_score', 0.5)[2]).toBeCloseTo(3, 5)
  })

  test('t_test: the same with 4 degrees of freedom', () => {
    // T⁻¹(0.975; 4) = 2.77645.
    expect(limitsOf('t_test', 0.975)).toEqual([3, -0.9265, 6.9265])
  })

  test('log_normal: about the geometric mean, the lower limit as far away as the upper one', () => {
    // Logarithms have mean 0.957498 and standard deviation 0.568417 (divisor n); Φ⁻¹(0.85) = 1.03643.
    const [baseline, lower, upper] = limitsOf('log_normal', 0.85)
    expect(baseline).toBeCloseTo(Math.exp(0.957498), 3)
    expect(upper).toBeCloseTo(4.69559, 3)
    expect((lower ?? NaN) + (upper ?? NaN)).toBeCloseTo(2 * (baseline ?? NaN), 3)
  })

  test('iqr: multiples of the distance of the quartiles, about the median', () => {
    expect(limitsOf('iqr', 1.5)).toEqual([3, 0, 6])
  })

  test('delta_iqr: the same of the relative changes from value to value, times the median', () => {
    // 1, 1/2, 1/3, 1/4 have the quartiles 0.3125 and 0.625.
    expect(limitsOf('delta_iqr', 2)).toEqual([3, 1.125, 4.875])
  })

  test('says in words what was crossed, and over what', () => {
    const result = evaluateThreshold(history, 9, { test: 'iqr', upperBoundary: 1.5 })
    expect(result).toEqual({
      isEvaluated: true,
      crossed: 'upper',
      baseline: 3,
      upperLimit: 6,
      sampleSize: 5,
      sentence: '9 is above the upper limit 6 (iqr over 5 values).',
    })
    expect(evaluateThreshold(history, 4, { test: 'iqr', upperBoundary: 1.5 }).sentence).toBe(
      '4 is within the limit 6 (iqr over 5 values).',
    )
  })

  test('the newest values count where there are more than the greatest sample size', () => {
    const threshold: Threshold = { test: 'percentage', upperBoundary: 0.1, maxSampleSize: 2 }
    expect(evaluateThreshold([100, 100, 1, 3], 2, threshold)).toMatchObject({ baseline: 2, sampleSize: 2 })
  })

  test.each([
    [
      [],
      { test: 'percentage', upperBoundary: 0.1 },
      'Not evaluated: 0 values before this one, and percentage needs 1.',
    ],
    [
      [1],
      { test: 't_test', upperBoundary: 0.9 },
      'Not evaluated: 1 values before this one, and t_test needs 2.',
    ],
    [
      [1, 2],
      { test: 'iqr', upperBoundary: 1, minSampleSize: 3 },
      'Not evaluated: 2 values before this one, and iqr needs 3.',
    ],
    [
      [2, 2, 2],
      { test: 'z_score', upperBoundary: 0.9 },
      'Not evaluated: all values before this one are 2, and z_score needs some spread.',
    ],
    [
      [0.1, 0.1, 0.1],
      { test: 't_test', upperBoundary: 0.9 },
      'Not evaluated: all values before this one are 0.1, and t_test needs some spread.',
    ],
    [
      [1, 0],
      { test: 'log_normal', upperBoundary: 0.9 },
      'Not evaluated: log_normal needs values above zero, and the history has others.',
    ],
    [
      [0, 1],
      { test: 'delta_iqr', upperBoundary: 1 },
      'Not evaluated: delta_iqr divides by the values of the history, and one of them is zero.',
    ],
    [
      [1e308, 1],
      { test: 'percentage', upperBoundary: 1e308 },
      'Not evaluated: the limits of percentage are beyond the largest number there is.',
    ],
  ] satisfies [number[], Threshold, string][])(
    '%j with %j is not evaluated, and why',
    (values, threshold, sentence) => {
      expect(evaluateThreshold(values, 5, threshold)).toEqual({
        isEvaluated: false,
        sampleSize: values.length,
        sentence,
      })
    },
  )

  test('the sentence has numbers with their unit', () => {
    const threshold = { test: 'percentage', upperBoundary: 0.1, unit: 'ns' } as const
    expect(evaluateThreshold([12_000, 12_000], 15_345, threshold).sentence).toBe(
      '15.35 µs is above the upper limit 13.2 µs (percentage over 2 values).',
    )
  })

  test('huge, tiny and negative values give finite limits or none, the lower below the upper', () => {
    const numbers = fc.double({ min: -1e100, max: 1e100, noNaN: true })
    fc.assert(
      fc.property(
        fc.array(numbers, { minLength: 1, maxLength: 20 }),
        fc.constantFrom(...thresholdTests),
        fc.double({ min: 0.5, max: 0.999, noNaN: true }),
        (values, name, boundary) => {
          const threshold = { test: name, lowerBoundary: boundary, upperBoundary: boundary }
          const result = evaluateThreshold(values, 0, threshold)
          const { lowerLimit = -Infinity, upperLimit = Infinity } = result
          expect(lowerLimit).toBeLessThanOrEqual(upperLimit)
          expect(Number.isFinite(lowerLimit)).toBe(result.isEvaluated)
        },
      ),
      { seed: 1 },
    )
  })

  test('a faulty threshold or value is refused', () => {
    expect(() => evaluateThreshold([1], 1, { test: 'iqr' })).toThrow(RangeError)
    expect(() => evaluateThreshold([1], NaN, { test: 'iqr', upperBoundary: 1 })).toThrow(RangeError)
  })
})

test.each([
  [{ test: 'static' }, 'A threshold needs a lower boundary, an upper one, or both.'],
  [{ test: 'static', upperBoundary: Infinity }, 'A boundary must be a finite number.'],
  [
    { test: 't_test', upperBoundary: 1 },
    'A boundary of t_test is a cumulative probability: at least 0.5, and below 1.',
  ],
  [
    { test: 'iqr', lowerBoundary: -1 },
    'A boundary of iqr cannot be negative; the lower one is taken off, the upper one added.',
  ],
  [{ test: 'static', lowerBoundary: 2, upperBoundary: 1 }, 'The lower boundary lies above the upper one.'],
  [{ test: 'static', upperBoundary: 1, minSampleSize: 0 }, 'A sample size is a whole number, 1 or more.'],
  [
    { test: 'static', upperBoundary: 1, minSampleSize: 5, maxSampleSize: 4 },
    'The least sample size is above the greatest.',
  ],
  [{ test: 'static', lowerBoundary: -2, upperBoundary: 1 }, undefined],
] satisfies [Threshold, string | undefined][])('thresholdFault(%j)', (threshold, fault) => {
  expect(thresholdFault(threshold)).toBe(fault)
})
