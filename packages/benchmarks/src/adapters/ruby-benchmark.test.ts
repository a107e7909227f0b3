import { expect, test } from 'vitest'
import { readBenchmarkResults } from '../read-benchmark-results.ts'
import { sample } from '../testing/sample.ts'

test('the real time is the value, CPU times are metrics', () => {
  const { results } = readBenchmarkResults(sample('ruby_benchmark', 'bm.txt'))
  expect(results.map(({ uri, value }) => [uri, value])).toEqual([
    ['join', 100_394_000],
    ['sort by size', 103_154_000],
  ])
  expect(results[0]?.metrics.map(({ name }) => name)).toEqual(['user_time', 'system_time'])
  expect(results[0]?.metrics[0]?.value).toBeCloseTo(89_648_000, 3)
})

test('of a rehearsed run only the second part counts', () => {
  const { results, warnings } = readBenchmarkResults(sample('ruby_benchmark', 'bmbm.txt'))
  expect(results.map(({ uri, value }) => [uri, value])).toEqual([
    ['join', 74_812_000],
    ['sort', 60_879_000],
  ])
  expect(warnings).toEqual(['line 1: the rehearsal is not read, only what is measured after it.'])
})
