import { expect, test } from 'vitest'
import { readBenchmarkResults } from '../read-benchmark-results.ts'
import { sample, utf8 } from '../testing/sample.ts'

test('the text and the JSON of one run say the same, as far as the text is not rounded', () => {
  const printed = readBenchmarkResults(sample('ruby_benchmark_ips', 'report.txt')).results
  const exact = readBenchmarkResults(sample('ruby_benchmark_ips', 'report.json')).results
  const names = ['join words', 'sort by length, then reverse']
  expect(printed.map(({ uri }) => uri)).toEqual(names)
  expect(exact.map(({ uri }) => uri)).toEqual(names)
  for (const [index, { value, stats }] of printed.entries()) {
    expect(value / (exact[index]?.value ?? NaN)).toBeCloseTo(1, 4)
    expect((stats.stdev ?? NaN) / (exact[index]?.stats.stdev ?? NaN)).toBeCloseTo(1, 2)
    expect(stats.totalTimeMs).toBeCloseTo(exact[index]?.stats.totalTimeMs ?? NaN, 1)
  }
})

test('newer versions print the time of an iteration too, and the Ruby', () => {
  const { results, environment } = readBenchmarkResults(
    utf8(`ruby 3.3.0 (2023-12-25 revision 5124f9ac75) [x86_64-linux]
Warming up --------------------------------------
                 add     1.234M i/100ms
Calculating -------------------------------------
                 add     12.500M (± 1.2%) i/s   (80.00 ns/i) -     62.949M in   5.098964s
`),
  )
  expect(results).toMatchObject([{ uri: 'add', value: 80, metrics: [{ name: 'throughput', value: 12.5e6 }] }])
  expect(results[0]?.stats.stdev).toBeCloseTo(0.96, 9)
  expect(environment['runtime']).toMatch(/^ruby 3\.3\.0/)
})
