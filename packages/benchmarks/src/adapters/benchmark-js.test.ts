import { expect, test } from 'vitest'
import { readBenchmarkResults } from '../read-benchmark-results.ts'
import { sample, utf8 } from '../testing/sample.ts'

test('operations per second become ns, with the margin as bounds', () => {
  const { results } = readBenchmarkResults(sample('benchmark_js', 'suite.txt'))
  const [, sort] = results
  expect(results.map(({ uri }) => uri)).toEqual(['String#join', 'sort 10 x 10', 'slow one'])
  // 1 ÷ 81.61 s is 12.2534 ms, 1.7 % of it are 0.2083 ms.
  expect(sort?.value).toBeCloseTo(12_253_400.3, 1)
  expect(sort?.stats.low).toBeCloseTo(12_045_092.5, 1)
  expect(sort?.stats.high).toBeCloseTo(12_461_708.1, 1)
  expect(sort?.metrics).toEqual([{ name: 'throughput', value: 81.61, unit: 'ops/s', betterWhen: 'higher' }])
})

test('the deviation is the one behind the margin of error', () => {
  const slow = readBenchmarkResults(sample('benchmark_js', 'suite.txt')).results[2]
  // Student's t for 5 degrees of freedom is 2.5706.
  const margin = (1e9 / 0.52) * 0.123
  expect(slow?.stats.stdev).toBeCloseTo((margin * Math.sqrt(6)) / 2.5706, -5)
})

test('other lines are told, a rate of zero is refused', () => {
  expect(readBenchmarkResults(sample('benchmark_js', 'suite.txt')).warnings).toEqual([
    'line 1: no benchmark, ignored: "Node v20.11.0".',
    'line 5: no benchmark, ignored: "Fastest is String#join".',
  ])
  const zero = utf8('a x 0 ops/sec ±0.00% (1 run sampled)')
  expect(() => readBenchmarkResults(zero)).toThrow(/Expected a rate above zero \(line 1\)/)
})

test('what Benchmark.js 2.1 printed: one that threw has no rate', () => {
  const { results, warnings } = readBenchmarkResults(sample('benchmark_js', 'recorded.txt'))
  expect(results.map(({ name, metrics }) => [name, metrics[0]?.value])).toEqual([
    ['join', 8381],
    ['concat x 2', 13_850],
    ['nothing', 102_182_757],
  ])
  expect(warnings).toEqual([
    'line 3: no benchmark, ignored: "throws:".',
    'line 5: no benchmark, ignored: "Fastest is nothing".',
  ])
})
