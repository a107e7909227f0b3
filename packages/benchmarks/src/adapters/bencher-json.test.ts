import { expect, test } from 'vitest'
import { readBenchmarkResults } from '../read-benchmark-results.ts'
import { sample, utf8 } from '../testing/sample.ts'

const { results, warnings } = readBenchmarkResults(sample('bencher_json', 'measures.json'))

test('the most important measure of a benchmark is its value, the others are metrics', () => {
  expect(results.map(({ uri, metric, value, unit }) => [uri, metric, value, unit])).toEqual([
    ['text::join', 'time', 8000, 'ns'],
    ['text::sort', 'instructions', 1_203_297, 'instructions'],
    ['/bin/sh -c ./build.sh', 'build_time', 87.25e9, 'ns'],
    ['libtext.so', 'file_size', 40_960, 'B'],
    ['queue', 'depth', 17.5, ''],
  ])
  expect(results[0]?.stats).toEqual({ low: 7900.5, high: 8150 })
  expect(results[0]?.metrics).toEqual([
    { name: 'throughput', value: 125_000, unit: 'ops/s', betterWhen: 'higher', low: 120_000, high: 130_000 },
    { name: 'pages', value: 3, unit: '' },
  ])
})

test('a measure that nobody knows is told', () => {
  expect(warnings).toEqual([
    '$.queue.depth: nobody knows which way "depth" is better; it is taken for better when lower.',
  ])
})

test('bounds that do not hold the value are left out, as some write distances there', () => {
  const document = { a: { latency: { value: 3247, lower_value: 1044, upper_value: 1044 } } }
  const report = readBenchmarkResults(utf8(JSON.stringify(document)))
  expect(report.results).toMatchObject([{ value: 3247, stats: {} }])
  expect(report.results[0]?.stats.high).toBeUndefined()
  expect(report.warnings).toHaveLength(1)
})

test('what is negative or no number is left out, and told', () => {
  const document = {
    a: { latency: { value: 5, lower_value: -1, upper_value: 9 }, throughput: { value: -3 } },
    b: { latency: { value: null }, throughput: { value: 3 } },
  }
  const report = readBenchmarkResults(utf8(JSON.stringify(document)))
  expect(report.results).toMatchObject([{ uri: 'a', value: 5, stats: { high: 9 }, metrics: [] }])
  expect(report.warnings).toEqual([
    '$.a.latency.lower_value: the bound is negative, or no number, ignored.',
    '$.a.throughput: the value is negative, or no number, ignored.',
    '$.b.latency: the value is negative, or no number, ignored.',
  ])
})

test('the suffix that silences alerts is no part of the name', () => {
  const document = { 'a-bencher-ignore': { latency: { value: 1 } } }
  expect(readBenchmarkResults(utf8(JSON.stringify(document))).results[0]?.uri).toBe('a')
})
