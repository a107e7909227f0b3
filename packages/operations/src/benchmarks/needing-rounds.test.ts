import { expect, test } from 'vitest'
import type { Result } from '../ports/index.ts'
import { needingRounds } from './needing-rounds.ts'

const spread = { mean: 1, stdev: 0.1, rounds: 10 }

function result(benchmarkId: string, value: number, stats: Result['stats'] = spread): Result {
  return {
    benchmarkId,
    uri: benchmarkId,
    name: benchmarkId,
    instrument: 'walltime',
    metric: 'time',
    betterWhen: 'lower',
    value,
    unit: 'ns',
    stats,
    metrics: [],
    state: 'active',
    isCritical: false,
    thresholdPercent: null,
    noisePercent: null,
    noiseRuns: 0,
  }
}

test('rounds are needed where a benchmark may have changed, or nothing else tells its spread', () => {
  const base = [result('same', 100), result('slower', 100), result('bare', 100), result('gone', 100)]
  const head = [result('same', 101), result('slower', 104), result('bare', 100, {}), result('new', 1)]
  expect(needingRounds(base, head, { thresholdPercent: 5 })).toEqual(['slower', 'bare'])
})

test('a threshold of its own decides what a change is', () => {
  const [base, head] = [[result('a', 100)], [result('a', 101)]]
  expect(needingRounds(base, head, {})).toEqual([])
  const thresholdPercents = new Map([['walltime time a', 1]])
  expect(needingRounds(base, head, { thresholdPercents })).toEqual(['a'])
})

test('from zero to something is a change', () => {
  expect(needingRounds([result('a', 0)], [result('a', 1)], {})).toEqual(['a'])
})
