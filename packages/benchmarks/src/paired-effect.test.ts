import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { BenchmarkResult } from './benchmark-result.ts'
import { compareBenchmarks } from './compare-benchmarks.ts'
import type { BenchmarkComparison, CompareOptions } from './compare-benchmarks.ts'
import { knownIssues } from './known-issues.ts'
import { wallTime } from './measure.ts'
import { median } from './statistics/describe-rounds.ts'
import { interleavedProcesses } from './testing/interleaved-processes.ts'
import type { ProcessNoise } from './testing/interleaved-processes.ts'

function ofProcesses(processValues: (number | null)[]): BenchmarkResult {
  const value = median(processValues.filter((each) => each !== null))
  return {
    uri: 'a',
    name: 'a',
    ...wallTime,
    value,
    statistic: 'median',
    stats: {},
    processValues,
    metrics: [],
  }
}

function compare(
  base: (number | null)[],
  head: (number | null)[],
  { isInTurns = true, ...options }: CompareOptions & { isInTurns?: boolean } = {},
): BenchmarkComparison {
  const sides = [base, head].map((values, side) => ({
    environment: {},
    results: [ofProcesses(values)],
    measurementId: isInTurns ? 'm1' : `m${side}`,
  }))
  const [ofBase, ofHead] = sides
  const [only] = ofBase && ofHead ? compareBenchmarks(ofBase, ofHead, options).benchmarks : []
  if (!only) throw new Error('There should be one benchmark')
  return only
}

const machines: Readonly<Record<string, ProcessNoise>> = {
  calm: { spread: 0.01 },
  ordinary: { spread: 0.025 },
  drifting: { spread: 0.025, drift: 0.02 },
  disturbed: { spread: 0.025, disturbed: 0.1 },
  'of two modes': { spread: 0.02, modes: 0.06 },
  'shared with another': { spread: 0.025, modes: 0.42 },
}
const tries = 400

describe.each(Object.entries(machines))('ten pairs of processes on a machine that is %s', (_, noise) => {
  const regressed = (factor: number) =>
    [...interleavedProcesses(noise, { processes: 10, tries, factor, seed: 7 })].filter(
      ({ base, head }) => compare(base, head).verdict === 'regressed',
    ).length / tries

  test('the same program raises no alarm in 98 of 100 tries', () => {
    expect(regressed(1)).toBeLessThanOrEqual(0.02)
  })

  test('a slowdown of 10 % is found in 85 of 100 at least', () => {
    expect(regressed(1.1)).toBeGreaterThanOrEqual(0.85)
  })

  test('an interval of 95 % has the truth in it', () => {
    const missed = [...interleavedProcesses(noise, { processes: 10, tries, factor: 1.1, seed: 11 })].filter(
      ({ base, head }) => {
        const { lowPercent = NaN, highPercent = NaN } = compare(base, head).confidenceInterval ?? {}
        return !(lowPercent <= 10 && 10 <= highPercent)
      },
    )
    expect(missed.length / tries).toBeLessThanOrEqual(0.075)
  })
})

describe('ten pairs of processes of pytest-benchmark, in an hour in which the core was shared', () => {
  interface Measured {
    head: 'same' | 'slower'
    baseUs: number[]
    headUs: number[]
  }
  const file = new URL('../samples/shared_core/pytest_benchmark.json', import.meta.url)
  const measured: Measured[] = JSON.parse(readFileSync(file, 'utf8'))
  const judged = (head: Measured['head']) =>
    measured.filter((each) => each.head === head).map(({ baseUs, headUs }) => compare(baseUs, headUs))

  test('the same program raises no alarm', () => {
    expect(judged('same').map(({ verdict }) => verdict)).not.toContain('regressed')
  })

  test('all slowdowns of 10 % but one are found', () => {
    const found = judged('slower').filter(({ verdict }) => verdict === 'regressed')
    expect(found.length).toBeGreaterThanOrEqual(17)
  })

  test('it says how many were slowed, and compares what was not', () => {
    const { baseUs, headUs } = measured.filter(({ head }) => head === 'slower')[5] ?? {
      baseUs: [],
      headUs: [],
    }
    const { reason, baseValue = NaN, headValue = NaN, changePercent = NaN } = compare(baseUs, headUs)
    expect(reason).toMatch(
      /^The more frequent mode is slower by \+10\.\d % .* in turns, of which 8 and 7 were in a mode \+48\.7 % higher; p < 0\.001\)/,
    )
    expect(headValue / baseValue).toBeCloseTo(1 + changePercent / 100, 6)
  })
})

test('what moves between the pairs falls out where they ran in turns, and only there', () => {
  const base = [100, 120, 90, 140, 110, 95, 130, 105, 150, 100]
  const head = base.map((value, index) => value * (1.1 + 0.002 * (index % 3)))
  const inTurns = compare(base, head)
  expect(inTurns).toMatchObject({ verdict: 'regressed', changePercent: expect.closeTo(10.2, 0) })
  expect(inTurns.reason).toMatch(
    /^The trimmed mean is slower by \+10\.\d % \(.* by 10 pairs of processes that ran in turns; p < 0\.001\)\.$/,
  )
  const apart = compare(base, head, { isInTurns: false })
  expect(apart.verdict).toBe('noisy')
  expect(apart.reason).toContain(
    'by the differences between the processes of each run and an assumed 2 % between runs',
  )
})

test('a history of noise between runs has no say where processes ran in turns', () => {
  const base = [100, 101, 99, 100, 102, 98, 100, 101]
  const head = base.map((value) => value * 1.1)
  const noise = new Map([['walltime time a', { relativeStdev: 0.2, runs: 40 }]])
  expect(compare(base, head, { noise }).verdict).toBe('regressed')
  expect(compare(base, head, { noise, isInTurns: false }).verdict).toBe('noisy')
})

test('one process that was disturbed changes nothing', () => {
  const base = [100, 101, 99, 100, 102, 98, 100, 101, 100, 99]
  const head = base.with(4, 180)
  expect(compare(base, head)).toMatchObject({ verdict: 'unchanged', changePercent: expect.closeTo(0, 0) })
})

test('swapping base and head mirrors the verdict', () => {
  const base = [100, 101, 99, 100, 102, 98, 100]
  const head = [110, 112, 108, 111, 112, 109, 107]
  expect(compare(base, head).verdict).toBe('regressed')
  expect(compare(head, base).verdict).toBe('improved')
})

test('a pair of which one half is missing does not count, and fewer than five are no pairs', () => {
  const base = [100, 101, null, 100, 102, 98]
  expect(compare(base, [100, 100, 100, 101, 102, 97]).reason).toContain('5 pairs')
  expect(compare(base, [100, null, 100, 101, 102, 97]).reason).toContain('between the processes of each run')
})

test('few processes are a known issue', () => {
  expect(knownIssues(ofProcesses([100, 101, 99]))).toContainEqual(
    expect.objectContaining({
      code: 'few_processes',
      explanation: expect.stringContaining('Only 3 processes'),
    }),
  )
  expect(knownIssues(ofProcesses([100, 101, 99, 100, 102]))).toEqual([])
})
