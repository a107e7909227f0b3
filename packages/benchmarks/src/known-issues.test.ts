import { describe, expect, test } from 'vitest'
import type { BenchmarkResult, BenchmarkStats } from './benchmark-result.ts'
import { knownIssues } from './known-issues.ts'
import { wallTime } from './measure.ts'
import { resultFromRounds } from './result-from-rounds.ts'
import { normalNumber, randomNumbers } from './testing/random.ts'

function measured(roundValues: number[]): BenchmarkResult {
  return resultFromRounds({ uri: 'a', name: 'a', roundValues, metrics: [] })
}

function told(value: number, stats: BenchmarkStats): BenchmarkResult {
  return { uri: 'a', name: 'a', ...wallTime, value, statistic: 'mean', stats, metrics: [] }
}

function codes(result: BenchmarkResult): string[] {
  return knownIssues(result).map(({ code }) => code)
}

function rounds(seed: number, count: number, round: (normal: number, index: number) => number): number[] {
  const random = randomNumbers(seed)
  return Array.from({ length: count }, (_, index) => round(normalNumber(random), index))
}

describe('a result has no issue', () => {
  test('when its rounds are many, calm and of one kind', () => {
    expect(codes(measured(rounds(1, 40, (normal) => 1000 + 20 * normal)))).toEqual([])
  })

  test('in almost all samples of one hump, though it has a long tail', () => {
    const flagged = Array.from({ length: 300 }, (_, seed) =>
      codes(measured(rounds(seed, 30, (normal) => 1000 * Math.exp(0.1 * normal)))),
    ).filter((found) => found.some((code) => code !== 'outliers' && code !== 'wide_spread'))
    expect(flagged.length).toBeLessThan(6)
  })

  test('of the clock, when it is simulated', () => {
    expect(codes({ ...told(5, {}), instrument: 'simulation', metric: 'instructions' })).toEqual([])
  })
})

describe('each issue is named and explained', () => {
  test('few rounds', () => {
    expect(knownIssues(measured([100, 101, 102]))).toEqual([
      {
        code: 'few_rounds',
        title: 'few rounds',
        explanation: 'Only 3 rounds: too few to tell noise from change. Measure at least 5, better 20.',
      },
    ])
    expect(codes(told(100, { rounds: 1 }))).toEqual(['few_rounds'])
  })

  test('no spread told', () => {
    expect(codes(told(100, {}))).toEqual(['no_spread'])
    expect(codes(told(100, { stdev: 1 }))).toEqual([])
  })

  test('a wide spread, by rounds or by deviation', () => {
    expect(codes(measured(rounds(2, 40, (normal) => 1000 + 300 * normal)))).toContain('wide_spread')
    expect(codes(told(100, { mean: 100, stdev: 30, rounds: 50 }))).toEqual(['wide_spread'])
  })

  test('two humps, and where they are', () => {
    const [issue] = knownIssues(
      measured(rounds(3, 60, (normal, index) => (index % 3 === 0 ? 1500 : 1200) + 10 * normal)),
    )
    expect(issue).toMatchObject({
      code: 'two_humps',
      explanation: expect.stringMatching(
        /67 % of them near 1\.(19|20?)\d* µs and the others near 1\.[45]\d* µs/,
      ),
    })
  })

  test('many outliers, by rounds or by the count of the tool', () => {
    const often = rounds(4, 50, (normal, index) => (index % 6 === 0 ? 2000 : 1000) + 5 * normal)
    expect(codes(measured(often))).toContain('outliers')
    expect(codes(told(100, { stdev: 1, rounds: 100, outlierRounds: 30 }))).toEqual(['outliers'])
    expect(codes(told(100, { stdev: 1, rounds: 100, outlierRounds: 3 }))).toEqual([])
  })

  test('warm-up missing: the rounds become faster', () => {
    const faster = rounds(5, 40, (normal, index) => 1000 + 400 * Math.exp(-index / 12) + 10 * normal)
    expect(codes(measured(faster))).toContain('warm_up_missing')
  })

  test('drift to worse: the rounds become slower, or fewer where more is better', () => {
    const slower = rounds(6, 300, (normal, index) => 1000 + 0.5 * index + 10 * normal)
    expect(codes(measured(slower))).toEqual(['slowing_down'])
    expect(codes({ ...measured(slower), betterWhen: 'higher' })).toEqual(['warm_up_missing'])
  })

  test('rounds that the tool sorted tell no drift', () => {
    const sorted = rounds(7, 40, (normal) => 1000 + 50 * normal).toSorted((a, b) => a - b)
    expect(codes(measured(sorted))).toEqual([])
  })

  test('a coarse timer, which is not taken for two humps', () => {
    const onTicks = rounds(8, 60, (normal) => 100 * Math.round(5 + 0.6 * normal))
    expect(knownIssues(measured(onTicks)).map(({ code }) => code)).toContain('coarse_timer')
    expect(codes(measured(onTicks))).not.toContain('two_humps')
    expect(codes(told(0, { stdev: 0, rounds: 50 }))).toEqual(['coarse_timer'])
  })

  test('frequency scaling and another environment than the run before', () => {
    const result = told(100, { stdev: 1, rounds: 50 })
    const issues = knownIssues(result, {
      environment: { cpu_scaling: 'true', cpu: 'B', date: 'Tuesday' },
      previousEnvironment: { cpu: 'A', date: 'Monday' },
    })
    expect(issues.map(({ code }) => code)).toEqual(['frequency_scaling', 'environment_changed'])
    expect(issues[1]?.explanation).toContain('(cpu)')
  })
})
