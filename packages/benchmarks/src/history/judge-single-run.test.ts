import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { noisySeries } from '../testing/noisy-series.ts'
import { benchmarkNoise } from './benchmark-noise.ts'
import { judgeSingleRun } from './judge-single-run.ts'

describe('judgeSingleRun()', () => {
  const history = noisySeries([[100, 1000]])

  test('far out is different, and how far is said in multiples of the noise', () => {
    const judged = judgeSingleRun(history, 1200)
    expect(judged.verdict).toBe('higher')
    expect(judged.baseline).toBeCloseTo(1000, -2)
    expect(judged.timesNoise).toBeGreaterThan(7)
    expect(judged.pValue).toBeLessThan(0.001)
    expect(judged.sentence).toMatch(
      /^1,200 is higher than the 100 runs before: \+\d.* times the noise of \d\.\d % \(p < 0\.001\)\.$/,
    )
    expect(judgeSingleRun(history, 800).verdict).toBe('lower')
    expect(judgeSingleRun(history, 1030).verdict).toBe('within_noise')
  })

  test('the further out, the less probable', () => {
    const pValues = [1000, 1020, 1040, 1060, 1080, 1100].map(
      (value) => judgeSingleRun(history, value).pValue ?? NaN,
    )
    expect(pValues).toEqual(pValues.toSorted((a, b) => b - a))
  })

  test('what outliers did before does not count as a change', () => {
    const spoilt = history.map((value, run) => (run % 15 === 7 ? value * (1.5 + (run % 4) / 3) : value))
    expect(judgeSingleRun(spoilt, 1700).verdict).toBe('within_noise')
    expect(judgeSingleRun(history, 1700).verdict).toBe('higher')
  })

  test('the unit does not matter', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 900, max: 1100 }),
        fc.integer({ min: -20, max: 20 }),
        (value, exponent) => {
          const factor = 2 ** exponent
          const scaled = judgeSingleRun(
            history.map((each) => each * factor),
            value * factor,
          )
          expect(scaled.verdict).toBe(judgeSingleRun(history, value).verdict)
          expect(scaled.pValue).toBeCloseTo(judgeSingleRun(history, value).pValue ?? NaN, 6)
        },
      ),
      { numRuns: 40, seed: 1 },
    )
  })

  test('a smaller effect than asked for is none, however calm the history', () => {
    const constant = Array.from({ length: 30 }, () => 1000)
    expect(judgeSingleRun(constant, 1004).verdict).toBe('within_noise')
    expect(judgeSingleRun(constant, 1020).verdict).toBe('higher')
    expect(judgeSingleRun(constant, 1020, { minEffectPercent: 5 }).verdict).toBe('within_noise')
  })

  test('says so when there are too few runs', () => {
    expect(judgeSingleRun([1, 2, 3], 100)).toEqual({
      verdict: 'too_few_runs',
      runs: 3,
      sentence: 'The history has 3 runs; to judge a single one it takes 10.',
    })
  })

  test('calls less than one in 300 unchanged runs different', () => {
    let wrong = 0
    for (let seed = 0; seed < 1000; seed += 1) {
      const values = noisySeries([[101, 1000]], { seed })
      if (judgeSingleRun(values.slice(0, 100), values[100] ?? NaN).verdict !== 'within_noise') wrong += 1
    }
    expect(wrong).toBeLessThan(4)
  })
})

describe('benchmarkNoise()', () => {
  test('is the standard deviation of the runs, whatever changes of level and outliers do', () => {
    const spoilt = noisySeries([
      [100, 1000],
      [100, 1500],
      [100, 1200],
    ]).map((value, run) => (run % 25 === 3 ? value * 2 : value))
    for (const values of [
      noisySeries([[300, 1000]]),
      noisySeries([
        [100, 1000],
        [200, 2000],
      ]),
      spoilt,
    ]) {
      const noise = benchmarkNoise(values) ?? NaN
      expect(noise).toBeGreaterThan(1.6)
      expect(noise).toBeLessThan(2.5)
    }
  })

  test('is nothing for a constant series, and unknown with few runs', () => {
    expect(benchmarkNoise([5, 5, 5, 5, 5, 5])).toBe(0)
    expect(benchmarkNoise([1, 2, 3, 4])).toBeUndefined()
  })

  test.each([5, 6, 9, 11])('is not the one change that a history of %d runs holds', (runs) => {
    const calm = Array.from({ length: runs }, (_, run) => 1000 + (run % 3))
    const changed = calm.map((value, run) => (run < 3 ? value : 1.08 * value))
    expect(benchmarkNoise(changed)).toBeLessThan(0.5)
    const longBefore = Array.from({ length: 12 }, (_, run) => 1000 + (run % 3))
    expect(benchmarkNoise([...longBefore, 1080, 1081, 1082])).toBeLessThan(0.5)
    const restless = calm.map((value, run) => (run % 2 === 0 ? value : 1.08 * value))
    expect(benchmarkNoise(restless)).toBeGreaterThan(2)
  })
})
