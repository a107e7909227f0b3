import { expect, test } from 'vitest'
import { readBenchmarkResults } from '../read-benchmark-results.ts'
import { sample, utf8 } from '../testing/sample.ts'

test('groups are the parts of the uri; a trial has its rounds', () => {
  const { results, environment } = readBenchmarkResults(sample('julia', 'suite.json'))
  expect(results.map(({ uri, value, statistic }) => [uri, value, statistic])).toEqual([
    ['join', 812.25, 'single'],
    ['sort::10', 95.5, 'single'],
    ['sort::1000', 20_875, 'median'],
  ])
  expect(results[2]?.roundValues).toEqual([21_000, 20_500, 22_500.5, 20_750])
  expect(results[0]?.stats.iterationsPerRound).toBe(80)
  expect(environment).toEqual({ runtime: 'Julia 1.9.4', 'library:BenchmarkTools': '1.0.0' })
})

test('memory, allocations and the time of the collector are metrics', () => {
  const { results } = readBenchmarkResults(sample('julia', 'suite.json'))
  expect(results[0]?.metrics.map(({ name, value, unit }) => [name, value, unit])).toEqual([
    ['allocated', 1024, 'B'],
    ['allocations', 12, 'allocations'],
    ['gc_time', 1.5, 'ns'],
  ])
})

function suiteOf(value: unknown) {
  return utf8(JSON.stringify([{ Julia: '1', BenchmarkTools: '1' }, [value]]))
}

test('another type is told, groups without end are refused', () => {
  expect(readBenchmarkResults(suiteOf(['TrialRatio', {}])).warnings[0]).toBe(
    '$[1][0]: "TrialRatio" is not read.',
  )
  let group: unknown = ['TrialEstimate', { time: 1 }]
  for (let depth = 0; depth < 150; depth += 1) group = ['BenchmarkGroup', { data: { a: group } }]
  expect(() => readBenchmarkResults(suiteOf(group))).toThrow(/nested too deeply/)
})
