import { expect, test } from 'vitest'
import { readBenchmarkResults } from '../read-benchmark-results.ts'
import { sample, utf8 } from '../testing/sample.ts'

test('run times in µs become ns; the raw one is a benchmark of its own', () => {
  const { results, warnings } = readBenchmarkResults(sample('dart', 'emitter.txt'))
  expect(results.map(({ uri }) => uri)).toEqual(['Join', 'Join [raw]', 'Sort 1000'])
  expect(results[0]?.value).toBeCloseTo(156.8, 9)
  expect(results[2]?.value).toBe(210_250)
  expect(warnings).toEqual(['line 4: no run time, ignored: "Building package executable...".'])
})

test('another unit is refused', () => {
  expect(() => readBenchmarkResults(utf8('A(RunTime): 5 apples.'))).toThrow(/unit of time \(line 1\)/)
})
