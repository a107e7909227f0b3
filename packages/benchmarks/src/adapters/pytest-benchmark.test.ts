import { expect, test } from 'vitest'
import { readBenchmarkResults } from '../read-benchmark-results.ts'
import { sample, utf8 } from '../testing/sample.ts'

function documentOf(file: string) {
  return JSON.parse(new TextDecoder().decode(sample('pytest_benchmark', file)))
}

test.each(['3-json.json', '5-json.json'])(
  '%s: the rounds say the same as the statistics of the tool',
  (file) => {
    const { results } = readBenchmarkResults(sample('pytest_benchmark', file))
    expect(results.map(({ uri, roundValues }) => [uri, roundValues?.length])).toEqual([
      ['tests/test_text.py::test_join[10]', 12],
      ['tests/test_text.py::test_join[1000]', 12],
      ['tests/test_text.py::TestSorting::test_sort', 12],
    ])
    for (const [index, { stats, value }] of results.entries()) {
      const own = documentOf(file).benchmarks[index].stats
      expect(value).toBeCloseTo(own.median * 1e9, 4)
      expect(stats.mean).toBeCloseTo(own.mean * 1e9, 4)
      expect(stats.stdev).toBeCloseTo(own.stddev * 1e9, 4)
      expect(stats.iterationsPerRound).toBe(own.iterations)
    }
  },
)

test('a file of .benchmarks has no rounds, and gives the statistics as they are', () => {
  const { results } = readBenchmarkResults(sample('pytest_benchmark', '5-storage.json'))
  const own = documentOf('5-storage.json').benchmarks[2].stats
  expect(results[2]).toMatchObject({ name: 'TestSorting::test_sort', statistic: 'median' })
  expect(results[2]?.roundValues).toBeUndefined()
  expect(results[2]?.stats).toMatchObject({
    rounds: 12,
    iterationsPerRound: 5,
    q1: own.q1 * 1e9,
    q3: own.q3 * 1e9,
    outlierRounds: own.iqr_outliers,
  })
  // 12 rounds of 5 iterations of about 26 µs.
  expect(results[2]?.stats.totalTimeMs).toBeCloseTo(1.57, 1)
})

test('the machine is told, whatever version wrote it', () => {
  const machine = { cpu: 'AMD EPYC', os: 'Linux', arch: 'x86_64', host: 'host' }
  expect(readBenchmarkResults(sample('pytest_benchmark', '3-json.json')).environment).toMatchObject({
    ...machine,
    runtime: 'CPython 3.11.2',
  })
  expect(readBenchmarkResults(sample('pytest_benchmark', '5-json.json')).environment).toMatchObject(machine)
})

test('numbers of extra_info are metrics, other things are told', () => {
  const { results, warnings } = readBenchmarkResults(sample('pytest_benchmark', '5-json.json'))
  expect(results[1]?.metrics).toEqual([{ name: 'words', value: 1000, unit: '' }])
  expect(warnings[0]).toBe('$.benchmarks[0].extra_info.kind: no number, not kept.')
})

test('a list of rounds that somebody shortened is not taken for all of them', () => {
  const stats = { mean: 2e-6, median: 1.5e-6, data: [1e-6, '…'] }
  const document = { benchmarks: [{ fullname: 'a.py::test_a', stats }] }
  const { results, warnings } = readBenchmarkResults(utf8(JSON.stringify(document)))
  expect(results[0]).toMatchObject({ value: 1500, statistic: 'median' })
  expect(warnings[0]).toMatch(/^\$\.benchmarks\[0\]\.stats\.data\[1\]: no number/)
})
