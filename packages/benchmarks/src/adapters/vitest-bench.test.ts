import { expect, test } from 'vitest'
import { readBenchmarkResults } from '../read-benchmark-results.ts'
import { sample, utf8 } from '../testing/sample.ts'

const shapes = [
  {
    version: '5 with samples',
    file: '5-samples.json',
    hasRounds: true,
    uris: [
      'numbers.bench.mjs::fibonacci::small::fib(12)',
      'numbers.bench.mjs::fibonacci::nested::pair::fib(14)',
      'numbers.bench.mjs::fibonacci::nested::pair::fib(16)',
      'numbers.bench.mjs::sort::toSorted',
    ],
  },
  {
    version: '3',
    file: '3-output-json.json',
    hasRounds: false,
    uris: [
      'numbers.bench.mjs::top level',
      'numbers.bench.mjs::fibonacci::fib(16)',
      'numbers.bench.mjs::fibonacci::nested::fib(18)',
    ],
  },
  {
    version: '1',
    file: '1-json-reporter.json',
    hasRounds: true,
    uris: ['fibonacci::fib(16)', 'nested::fib(18)', 'top level'],
  },
]

test.each(shapes)('Vitest $version: file, suites and name make the uri', ({ file, uris, hasRounds }) => {
  const { results } = readBenchmarkResults(sample('vitest_bench', file))
  expect(results.map(({ uri }) => uri)).toEqual(uris)
  for (const { statistic, roundValues } of results) {
    expect(statistic).toBe('median')
    expect(roundValues !== undefined).toBe(hasRounds)
  }
})

test('with and without samples, Vitest 5 gives the same identities', () => {
  const [summary, samples] = ['5-summary.json', '5-samples.json'].map((file) =>
    readBenchmarkResults(sample('vitest_bench', file)).results.map(({ uri }) => uri),
  )
  expect(summary).toEqual(samples)
})

test('the statistics of tinybench say the same as our own, where it wrote both', () => {
  const document = JSON.parse(new TextDecoder().decode(sample('vitest_bench', '5-samples.json')))
  const [result] = readBenchmarkResults(sample('vitest_bench', '5-samples.json')).results
  const { latency } = document.testResults[0].assertionResults[0].benchmarks[0].tasks[0]
  expect(result?.stats.mean).toBeCloseTo(latency.mean * 1e6, 3)
  expect(result?.stats.median).toBeCloseTo(latency.p50 * 1e6, 3)
  expect(result?.stats.stdev).toBeCloseTo(latency.sd * 1e6, 3)
  expect(result?.metrics.map(({ name, unit }) => [name, unit])).toEqual([
    ['throughput', 'ops/s'],
    ['p99', 'ns'],
  ])
})

test('tests without benchmarks are told', () => {
  expect(readBenchmarkResults(sample('vitest_bench', '5-summary.json')).warnings).toEqual([
    '$.testResults[0].assertionResults[3]: the test "not a benchmark" has no benchmark.',
  ])
})

function fileNamed(name: string) {
  return {
    name,
    assertionResults: [
      {
        ancestorTitles: [],
        title: 't',
        benchmarks: [{ tasks: [{ name: 'x', latency: { mean: 1 }, totalTime: 3 }] }],
      },
    ],
  }
}

test('files of the same name are told apart by their folders, and only they', () => {
  const names = [
    '/app/cart/src/price.bench.ts',
    '/app/shop/src/price.bench.ts',
    'C:\\app\\shop\\find.bench.ts',
  ]
  const { results } = readBenchmarkResults(utf8(JSON.stringify({ testResults: names.map(fileNamed) })))
  expect(results.map(({ uri }) => uri)).toEqual([
    'cart/src/price.bench.ts::t::x',
    'shop/src/price.bench.ts::t::x',
    'find.bench.ts::t::x',
  ])
})

test('a stored baseline was not measured in this run', () => {
  const tasks = [
    { name: 'now', latency: { p50: 2 } },
    { name: 'before', latency: { p50: 1 }, fromStore: true },
  ]
  const assertionResults = [{ ancestorTitles: [], title: 't', benchmarks: [{ tasks }] }]
  const { results, warnings } = readBenchmarkResults(
    utf8(JSON.stringify({ testResults: [{ name: 'a.bench.ts', assertionResults }] })),
  )
  expect(results.map(({ name, value }) => [name, value])).toEqual([['now', 2e6]])
  expect(warnings[0]).toMatch(/"before" is a stored baseline/)
})

test('a benchmark that threw is told, and the others are read', () => {
  const benchmarks = [
    { name: 'one', mean: 1 },
    { name: 'fails', rank: 2, rme: 0, samples: [] },
  ]
  const files = [{ filepath: '/app/a.bench.ts', groups: [{ fullName: 'a.bench.ts', benchmarks }] }]
  const { results, warnings } = readBenchmarkResults(utf8(JSON.stringify({ files })))
  expect(results.map(({ uri }) => uri)).toEqual(['a.bench.ts::one'])
  expect(warnings).toEqual(['$.files[0].groups[0].benchmarks[1]: "fails" did not finish.'])
})

test('a file that failed before its first benchmark is told', () => {
  const broken = { name: '/app/bad.bench.ts', status: 'failed', assertionResults: [] }
  const { warnings } = readBenchmarkResults(
    utf8(JSON.stringify({ testResults: [broken, fileNamed('a.ts')] })),
  )
  expect(warnings).toEqual(['$.testResults[0]: "bad.bench.ts" failed before its first benchmark.'])
})
