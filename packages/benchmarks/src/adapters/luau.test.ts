import { expect, test } from 'vitest'
import { readBenchmarkResults } from '../read-benchmark-results.ts'
import { sample } from '../testing/sample.ts'

test('bench.py: the mean with its deviation, and the minimum from the table', () => {
  const { results, warnings } = readBenchmarkResults(sample('luau', 'bench-py.txt'))
  expect(results.map(({ uri, value, stats }) => [uri, value, stats.min])).toEqual([
    ['luau::base64', 15_041_000, 14_831_000],
    ['luau::n-queens', 69_560_000, 69_106_000],
  ])
  // 0.636 % of 15.041 ms
  expect(results[0]?.stats.stdev).toBeCloseTo(95_660.76, 2)
  expect(warnings).toEqual([])
})

test('roblox-cli: operations per second become ns', () => {
  const { results, environment } = readBenchmarkResults(sample('luau', 'roblox-cli.txt'))
  expect(results.map(({ uri }) => uri)).toEqual(['List::insert', 'List::remove'])
  expect(results[1]).toMatchObject({ value: 4e6, metrics: [{ name: 'throughput', value: 250 }] })
  expect(results[0]?.stats.rounds).toBe(45)
  expect(environment).toEqual({ runtime: 'roblox-cli 0.600.0.1' })
})
