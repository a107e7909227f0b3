import { expect, test } from 'vitest'
import { readBenchmarkResults } from '../read-benchmark-results.ts'
import { sample, utf8 } from '../testing/sample.ts'

test('the full file: original values are the rounds, parameters and jobs part of the identity', () => {
  const { results } = readBenchmarkResults(sample('benchmark_dotnet', 'full.json'))
  expect(results.map(({ uri, value, roundValues }) => [uri, value, roundValues?.length])).toEqual([
    ['Example.Text.SortBenchmark::Sort [Count=10 Kind=Random] [job=Runtime=.NET 8.0]', 100.75, 5],
    ['Example.Text.SortBenchmark::Sort [Count=10 Kind=Random] [job=Runtime=.NET 9.0]', 90.75, 5],
    ['Example.Text.SortBenchmark::Join', 513.625, 4],
  ])
  const document = JSON.parse(new TextDecoder().decode(sample('benchmark_dotnet', 'full.json')))
  for (const [index, { stats }] of results.entries()) {
    expect(stats.stdev).toBeCloseTo(document.Benchmarks[index].Statistics.StandardDeviation, 9)
    expect(stats.q1).toBeCloseTo(document.Benchmarks[index].Statistics.Q1, 9)
  }
})

test('the brief file: the statistics and the memory', () => {
  const { results } = readBenchmarkResults(sample('benchmark_dotnet', 'brief.json'))
  expect(results).toHaveLength(1)
  expect(results[0]).toMatchObject({
    value: 513.625,
    stats: { rounds: 4, min: 509.5, max: 530.75, mean: 516.875 },
    metrics: [{ name: 'allocated', value: 2048, unit: 'B', betterWhen: 'lower' }],
  })
  expect(results[0]?.roundValues).toBeUndefined()
})

function measurement(IterationStage: string, Nanoseconds: number) {
  return { IterationMode: 'Workload', IterationStage, Operations: 4, Nanoseconds }
}

test('measurements of the stage "Result" are the rounds where no values are listed', () => {
  const row = {
    Type: 'A',
    Method: 'B',
    Statistics: { Mean: 25 },
    Measurements: [measurement('Actual', 800), measurement('Result', 96), measurement('Result', 104)],
  }
  const document = { HostEnvironmentInfo: {}, Benchmarks: [row] }
  const { results } = readBenchmarkResults(utf8(JSON.stringify(document)))
  expect(results[0]).toMatchObject({ uri: 'A::B', roundValues: [24, 26] })
})

test.each([
  ['with rounds', { OriginalValues: [24, 26] }, { rounds: 2 }],
  ['without rounds', { N: 2, Median: 25, Min: 24, Max: 26 }, { rounds: 2, min: 24, max: 26 }],
])('statistics of two iterations that are no numbers are left out: %s', (_, told, stats) => {
  const noNumbers = {
    StandardDeviation: '',
    Q1: '',
    ConfidenceInterval: { Margin: '', Lower: '', Upper: '' },
  }
  const row = { Type: 'A', Method: 'B', Statistics: { Mean: 25, ...noNumbers, ...told } }
  const document = { HostEnvironmentInfo: {}, Benchmarks: [row] }
  const { results } = readBenchmarkResults(utf8(JSON.stringify(document)))
  expect(results).toMatchObject([{ uri: 'A::B', value: 25, stats }])
  expect(results[0]!.stats.high).toBeUndefined()
})

test('collections and what did not run', () => {
  const { results, warnings, environment } = readBenchmarkResults(sample('benchmark_dotnet', 'full.json'))
  expect(results[2]?.metrics).toEqual([
    { name: 'Gen0Collects', value: 1.46484375, unit: 'Count', betterWhen: 'lower' },
    { name: 'allocated', value: 2048, unit: 'B', betterWhen: 'lower' },
  ])
  expect(warnings).toEqual(['$.Benchmarks[3]: "SortBenchmark.Parse" has no statistics: it did not run.'])
  expect(environment).toMatchObject({ cpu: 'AMD EPYC 7763', cpu_count: '4', runtime: '.NET 8.0.4' })
})

test('a processor whose name was written as the program held it', () => {
  const host = { ProcessorName: { IsValueCreated: true, Value: 'Intel i7' }, ClrVersion: 'MS.NET 4.0' }
  const document = { HostEnvironmentInfo: host, Benchmarks: [] }
  expect(readBenchmarkResults(utf8(JSON.stringify(document))).environment).toEqual({
    cpu: 'Intel i7',
    runtime: 'MS.NET 4.0',
  })
})
