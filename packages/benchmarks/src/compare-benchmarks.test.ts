import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { BenchmarkResult, Environment } from './benchmark-report.ts'
import { compareBenchmarks } from './compare-benchmarks.ts'
import type { BenchmarkRun } from './compare-benchmarks.ts'
import { resultFromRounds } from './result-from-rounds.ts'
import { noisyRounds, randomNumbers } from './testing/random.ts'

function run(results: BenchmarkResult[], environment: Environment = {}): BenchmarkRun {
  return { environment, results }
}

function measured(uri: string, roundsNs: number[]): BenchmarkResult {
  return resultFromRounds({ uri, name: uri, roundsNs, metrics: [] })
}

/** A result of which the file tells a mean and a deviation, or one value when `rounds` is 1. */
function summarised(uri: string, meanNs: number, stdevNs: number, rounds: number): BenchmarkResult {
  const stats = rounds > 1 ? { meanNs, stdevNs, rounds } : {}
  return {
    uri,
    name: uri,
    instrument: 'walltime',
    value: meanNs,
    unit: 'ns',
    statistic: 'mean',
    stats,
    metrics: [],
  }
}

function judge(base: BenchmarkResult, head: BenchmarkResult, options = {}) {
  const [only] = compareBenchmarks(run([base]), run([head]), options).benchmarks
  if (!only) throw new Error('There should be one benchmark')
  return only
}

describe('verdicts', () => {
  const steady = [100, 101, 99, 100, 102, 98]
  const slower = steady.map((round) => round * 1.4)
  const wild = [60, 210, 90, 320, 75, 130]

  test('a large change that all rounds show', () => {
    expect(judge(measured('a', steady), measured('a', slower))).toMatchObject({
      verdict: 'regressed',
      baseValue: 100,
      headValue: 140,
      statistic: 'median',
      changePercent: expect.closeTo(40, 9),
    })
    expect(judge(measured('a', slower), measured('a', steady)).verdict).toBe('improved')
  })

  test('the reason says how sure it is and why', () => {
    expect(judge(measured('a', steady), measured('a', slower)).reason).toMatch(
      /^The median is slower by \+40\.0 % \(\+\d+\.\d % to \+\d+\.\d % with 95 % confidence, Mann–Whitney over 6 and 6 rounds, p = 0\.002\)\.$/,
    )
  })

  test('a small change is none, however sure', () => {
    const slightly = steady.map((round) => round + 4)
    expect(judge(measured('a', steady), measured('a', slightly)).verdict).toBe('unchanged')
    expect(judge(measured('a', steady), measured('a', slightly), { thresholdPercent: 2 }).verdict).toBe(
      'regressed',
    )
  })

  test('under half a percent is none, whatever the threshold', () => {
    const [base, head] = [summarised('a', 1000, 0, 9), summarised('a', 1004, 0, 9)]
    expect(judge(base, head, { thresholdPercent: 0.1 }).verdict).toBe('unchanged')
  })

  test('a change within the noise is noisy, not a regression', () => {
    expect(judge(measured('a', steady), measured('a', wild))).toMatchObject({ verdict: 'noisy' })
    expect(judge(measured('a', steady), measured('a', wild)).noisePercent).toBeGreaterThan(40)
  })

  test('no change to be seen, but one of twice the threshold could hide: noisy', () => {
    expect(judge(measured('a', wild), measured('a', wild)).verdict).toBe('noisy')
  })

  test("three rounds a side are too few for ranks; Welch's t can tell", () => {
    const judgement = judge(measured('a', [100, 101, 99]), measured('a', [150, 151, 149]))
    expect(judgement).toMatchObject({ verdict: 'regressed', statistic: 'mean' })
    expect(judgement.reason).toContain("Welch's t over 3 and 3 rounds")
  })

  test('mean and deviation without rounds', () => {
    expect(judge(summarised('a', 100, 5, 30), summarised('a', 130, 5, 30)).verdict).toBe('regressed')
    expect(judge(summarised('a', 100, 90, 5), summarised('a', 130, 90, 5)).verdict).toBe('noisy')
  })

  test('one value a side: the bare threshold, and it says so', () => {
    const judgement = judge(summarised('a', 100, 0, 1), summarised('a', 106, 0, 1))
    expect(judgement).toMatchObject({ verdict: 'regressed' })
    expect(judgement).not.toHaveProperty('confidenceInterval')
    expect(judgement.reason).toMatch(/no spread is known, so it is not tested/)
    expect(judge(summarised('a', 100, 0, 1), summarised('a', 104, 0, 1)).verdict).toBe('unchanged')
  })

  test('a time of zero cannot be compared', () => {
    expect(judge(summarised('a', 0, 0, 1), summarised('a', 5, 0, 1)).verdict).toBe('incomparable')
    expect(judge(measured('a', [0, 0, 0, 0]), measured('a', [0, 1, 2, 3])).verdict).toBe('incomparable')
  })

  test('new and missing benchmarks', () => {
    const { benchmarks, counts } = compareBenchmarks(
      run([measured('gone', [1, 2]), measured('kept', [1, 2])]),
      run([measured('kept', [1, 2]), measured('added', [3, 4])]),
    )
    expect(benchmarks.map(({ uri, verdict }) => `${uri} ${verdict}`)).toEqual([
      'kept noisy',
      'added new',
      'gone missing',
    ])
    expect(counts).toMatchObject({ new: 1, missing: 1 })
  })
})

test('the geometric mean of a doubling and a halving is no change', () => {
  const { geometricMeanChangePercent } = compareBenchmarks(
    run([summarised('a', 100, 0, 1), summarised('b', 100, 0, 1)]),
    run([summarised('a', 200, 0, 1), summarised('b', 50, 0, 1)]),
  )
  expect(geometricMeanChangePercent).toBeCloseTo(0, 9)
  expect(compareBenchmarks(run([]), run([]))).not.toHaveProperty(
    'geometricMeanChangePercent',
    expect.anything(),
  )
})

function differingKeys(base: Environment, head: Environment): string[] {
  return compareBenchmarks(run([], base), run([], head)).environmentDifferences.map(({ key }) => key)
}

describe('environment differences', () => {
  const result = summarised('a', 100, 1, 50)
  const worse = summarised('a', 150, 1, 50)

  test('are listed, and lower the claim without hiding it', () => {
    const comparison = compareBenchmarks(
      run([result], { cpu: 'EPYC 7763', runtime: 'node 22', date: 'Monday' }),
      run([worse], { cpu: 'EPYC 9454', runtime: 'node 24', date: 'Tuesday', os: 'linux' }),
    )
    expect(comparison.environmentDifferences).toEqual([
      { key: 'cpu', base: 'EPYC 7763', head: 'EPYC 9454' },
      { key: 'runtime', base: 'node 22', head: 'node 24' },
    ])
    expect(comparison.benchmarks[0]).toMatchObject({ verdict: 'regressed' })
    expect(comparison.benchmarks[0]?.reason).toMatch(
      /The environment differs \(cpu, runtime\), which may be the cause\.$/,
    )
  })

  test('a library on one side only is one, when both sides list libraries', () => {
    expect(differingKeys({ 'library:zod': '4' }, { 'library:zod': '4', 'library:pg': '8' })).toEqual([
      'library:pg',
    ])
    expect(differingKeys({}, { 'library:pg': '8' })).toEqual([])
  })
})

describe('over many pairs of runs', () => {
  const random = randomNumbers(7)
  const pairs = 250

  function shareOf(verdict: string, factor: number, spread: number, count: number): number {
    const found = Array.from({ length: pairs }, () => {
      const base = noisyRounds(random, { centerNs: 1000, spread, count })
      const head = noisyRounds(random, { centerNs: 1000 * factor, spread, count })
      return judge(measured('a', base), measured('a', head)).verdict === verdict
    })
    return found.filter(Boolean).length / pairs
  }

  test.each([
    { spread: 0.02, count: 6 },
    { spread: 0.05, count: 20 },
    { spread: 0.2, count: 12 },
    { spread: 0.1, count: 100 },
  ])('the same code is seldom called changed (spread $spread, $count rounds)', ({ spread, count }) => {
    // At 95 % confidence one pair in twenty may be, where noise alone goes beyond the threshold.
    const flagged = shareOf('regressed', 1, spread, count) + shareOf('improved', 1, spread, count)
    expect(flagged).toBeLessThan(0.08)
  })

  test.each([
    { factor: 1.4, spread: 0.05, count: 6 },
    { factor: 1.15, spread: 0.05, count: 20 },
    { factor: 1.15, spread: 0.1, count: 100 },
  ])('a change by $factor is found (spread $spread, $count rounds)', ({ factor, spread, count }) => {
    expect(shareOf('regressed', factor, spread, count)).toBeGreaterThan(0.9)
    expect(shareOf('improved', 1 / factor, spread, count)).toBeGreaterThan(0.9)
  })

  test('swapping base and head swaps the verdict', () => {
    const opposite = { regressed: 'improved', improved: 'regressed' } as const
    const rounds = fc.array(fc.double({ min: 50, max: 150, noNaN: true }), { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(rounds, rounds, (base, head) => {
        const there = judge(measured('a', base), measured('a', head)).verdict
        const back = judge(measured('a', head), measured('a', base)).verdict
        expect(back).toBe(there === 'regressed' || there === 'improved' ? opposite[there] : there)
      }),
    )
  })

  test('the same input gives the same answer', () => {
    const base = run([measured('a', noisyRounds(random, { centerNs: 10, spread: 0.1, count: 50 }))])
    expect(compareBenchmarks(base, base)).toEqual(compareBenchmarks(base, base))
  })
})
