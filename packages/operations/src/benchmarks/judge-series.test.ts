import { describe, expect, test } from 'vitest'
import { applyingThreshold, defaultRule, type ThresholdRule } from './applying-threshold.ts'
import { judgeSeries as judge } from './judge-series.ts'

const rule = (change: Partial<ThresholdRule>): ThresholdRule => ({
  ...defaultRule,
  test: 'percentage',
  windowRuns: 10,
  sampleMin: 3,
  ...change,
})

const judgeSeries = (values: readonly number[], by: ThresholdRule, known?: number[]) =>
  judge({ values, unit: 'ns' }, by, known)

/** Around a level, by about one percent, always the same. */
const around = (level: number, runs: number) =>
  Array.from({ length: runs }, (_, run) => level * (1 + 0.012 * Math.sin(run * 2.4)))

describe('judgeSeries()', () => {
  test('finds a lasting change, and where it began', () => {
    const values = [...around(1000, 20), ...around(1150, 5)]
    const finding = judgeSeries(values, defaultRule)
    expect(finding).toMatchObject({ index: 20, direction: 'up', crossedLimit: null })
    expect(finding?.changePercent).toBeCloseTo(15, 0)
    expect(finding?.reason).toMatch(/^The level is up by .* from [\d.]+ (ns|µs) to 1\.1\d* µs: 5 runs/)
  })

  test('finds no change that is known already, and none in too few values', () => {
    const values = [...around(1000, 20), ...around(1150, 5)]
    expect(judgeSeries(values, defaultRule, [20])).toBeUndefined()
    expect(judgeSeries(values.slice(-9), defaultRule)).toBeUndefined()
    expect(judgeSeries(around(1000, 40), defaultRule)).toBeUndefined()
  })

  test('counts from the beginning of the series, also when only the end of it is looked at', () => {
    const values = [...around(500, 50), ...around(1000, 30), ...around(1150, 5)]
    expect(judgeSeries(values, { ...defaultRule, windowRuns: 35 })).toMatchObject({ index: 80 })
  })

  test('a stretch of values past a limit is one finding, which begins where the stretch does', () => {
    const values = [10, 10, 10, 10, 12, 12.5]
    const limit = rule({ upperBound: 0.1 })
    expect(judgeSeries(values.slice(0, 4), limit)).toBeUndefined()
    expect(judgeSeries(values.slice(0, 5), limit)).toMatchObject({
      index: 4,
      direction: 'up',
      baseline: 10,
      value: 12,
      crossedLimit: 11,
      changePercent: 20,
    })
    expect(judgeSeries(values, limit)).toMatchObject({ index: 4, value: 12.5 })
  })

  test('below is another direction, and a static limit needs no values before', () => {
    expect(judgeSeries([3], rule({ test: 'static', lowerBound: 5 }))).toMatchObject({
      index: 0,
      direction: 'down',
      baseline: 5,
      crossedLimit: 5,
    })
  })

  test('a change from zero has no share', () => {
    const finding = judgeSeries([0, 0, 0, 7], rule({ upperBound: 0.1 }))
    expect(finding).toMatchObject({ baseline: 0, value: 7, changePercent: 0 })
  })
})

describe('applyingThreshold()', () => {
  const at = { branches: ['main'], benchmarkId: 'ben_1', metric: 'time', isMainMetric: true }
  const all = { branch: null, benchmarkId: null, metric: null }
  const ofBranch = { ...all, branch: 'main' }
  const ofBenchmark = { ...all, benchmarkId: 'ben_1' }
  const ofBoth = { ...all, branch: 'main', benchmarkId: 'ben_1' }

  test('is the most exact one', () => {
    expect(applyingThreshold([all, ofBranch, ofBoth, ofBenchmark], at)).toBe(ofBoth)
    expect(applyingThreshold([all, ofBranch, ofBenchmark], at)).toBe(ofBenchmark)
    expect(applyingThreshold([all, ofBranch], at)).toBe(ofBranch)
    expect(applyingThreshold([all], at)).toBe(all)
  })

  test('of several branches is that of the first; a benchmark goes before a branch', () => {
    const ofFix = { ...all, branch: 'fix' }
    const of = { ...at, branches: ['fix', 'main'] }
    expect(applyingThreshold([all, ofBranch, ofFix], of)).toBe(ofFix)
    expect(applyingThreshold([{ ...all, metric: 'time' }, ofBranch], of)).toBe(ofBranch)
    expect(applyingThreshold([ofFix, ofBranch, ofBenchmark], of)).toBe(ofBenchmark)
    expect(applyingThreshold([ofBenchmark, ofBoth], of)).toBe(ofBoth)
  })

  test('is none of another branch, benchmark or metric', () => {
    const others = [
      { ...all, branch: 'fix' },
      { ...all, benchmarkId: 'ben_2' },
      { ...all, metric: 'memory' },
    ]
    expect(applyingThreshold(others, at)).toBeUndefined()
  })

  test('without a metric is for the main one alone', () => {
    expect(applyingThreshold([all], { ...at, metric: 'memory', isMainMetric: false })).toBeUndefined()
    const named = { ...all, metric: 'memory' }
    expect(applyingThreshold([all, named], { ...at, metric: 'memory', isMainMetric: false })).toBe(named)
  })
})
