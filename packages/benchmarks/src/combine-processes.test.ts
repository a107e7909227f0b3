import { expect, test } from 'vitest'
import type { BenchmarkResult, BenchmarkStats } from './benchmark-result.ts'
import { combineProcesses } from './combine-processes.ts'
import { wallTime } from './measure.ts'
import { describeRounds } from './statistics/describe-rounds.ts'
import { WarningList } from './warning-list.ts'

/** What a tool tells that keeps its rounds to itself. */
function summary(rounds: readonly number[], further: BenchmarkStats = {}): BenchmarkResult {
  const { min, max, mean = NaN, stdev } = describeRounds(rounds)
  const stats = { min, max, mean, stdev, rounds: rounds.length, ...further }
  return { uri: 'a', name: 'a', ...wallTime, value: mean, statistic: 'mean', stats, metrics: [] }
}

function combined(...results: BenchmarkResult[]): BenchmarkResult | undefined {
  return combineProcesses(
    results.map((result) => [result]),
    new WarningList(),
  )[0]
}

test('the value is the median of the processes, which one disturbed process does not move', () => {
  expect(combined(summary([100, 102]), summary([101, 103]), summary([180, 190]))).toMatchObject({
    value: 102,
    statistic: 'median',
    processValues: [101, 102, 185],
  })
})

test('mean and deviation of rounds that are not there are those of all rounds', () => {
  const rounds = [
    [100, 104, 99],
    [120, 118],
  ]
  const { min, max, mean = NaN, stdev = NaN } = describeRounds(rounds.flat())
  expect(combined(...rounds.map((own) => summary(own)))?.stats).toEqual({
    min,
    max,
    mean: expect.closeTo(mean, 9),
    stdev: expect.closeTo(stdev, 9),
    rounds: 5,
  })
})

test('what belongs to one process is not told of all: quartiles, bounds', () => {
  const stats = combined(summary([1, 2], { q1: 1, low: 1 }), summary([1, 3], { q1: 1, low: 1 }))?.stats
  expect(Object.keys(stats ?? {}).toSorted()).toEqual(['max', 'mean', 'min', 'rounds', 'stdev'])
})

test('times and outliers add up, and what every round has in common does not', () => {
  const own = { totalTimeMs: 20, outlierRounds: 1, iterationsPerRound: 100, warmupIterations: 3 }
  expect(combined(summary([1, 2], own), summary([1, 3], own))?.stats).toMatchObject({
    totalTimeMs: 40,
    outlierRounds: 2,
    iterationsPerRound: 100,
    warmupIterations: 3,
  })
})

test('a process that measures it in another unit is left out and told', () => {
  const warnings = new WarningList()
  const results = combineProcesses([[summary([1, 2])], [{ ...summary([1, 2]), unit: 'B' }]], warnings)
  expect(results[0]?.processValues).toEqual([1.5, null])
  expect(warnings.list()).toEqual([
    'a: process 2 measures it in another way, which is ignored.',
    'a: only 1 of 2 processes measured it.',
  ])
})
