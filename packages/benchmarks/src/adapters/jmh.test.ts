import { describe, expect, test } from 'vitest'
import { readBenchmarkResults } from '../read-benchmark-results.ts'
import { sample, utf8 } from '../testing/sample.ts'

const { results, environment } = readBenchmarkResults(sample('jmh', 'modes.json'))

describe('modes', () => {
  test('avgt: the iterations of all forks are the rounds', () => {
    expect(results[0]).toMatchObject({
      uri: 'com.example.text.JoinBenchmark::join [count=100]',
      name: 'JoinBenchmark.join [count=100]',
      value: 2505,
      roundValues: [2510, 2480, 2530, 2600, 2470, 2500],
    })
  })

  test('thrpt: operations per second become ns, and are kept as throughput', () => {
    const result = results[2]
    // 80 operations in a ms are one in 12,500 ns.
    expect(result?.roundValues?.[0]).toBeCloseTo(12_500, 6)
    expect(result?.betterWhen).toBe('lower')
    // The mean of 80.0, 78.5, 81.2, 79.4, 80.6 and 77.9 in a ms.
    expect(result?.metrics[0]).toMatchObject({ name: 'throughput', unit: 'ops/s', betterWhen: 'higher' })
    expect(result?.metrics[0]?.value).toBeCloseTo(79_600, 6)
    expect(result?.stats.low).toBeLessThan(result?.value ?? 0)
    expect(result?.stats.high).toBeGreaterThan(result?.value ?? 0)
  })

  test('sample: percentiles, and how many samples there were', () => {
    const result = results[3]
    expect(result).toMatchObject({ value: 50_150, statistic: 'median' })
    expect(result?.stats).toMatchObject({ rounds: 8, min: 49_800, max: 200_000 })
    expect(result?.metrics.map(({ name }) => name)).toEqual(['p90', 'p95', 'p99', 'p99.9'])
  })

  test('ss: one call, whose bounds are not numbers', () => {
    expect(results[4]).toMatchObject({ value: 412e6, statistic: 'single' })
    expect(results[4]?.stats.low).toBeUndefined()
  })

  test('only a benchmark that was measured in several modes has them in its name', () => {
    expect(results.slice(2).map(({ name }) => name)).toEqual([
      'JoinBenchmark.sort [mode=thrpt]',
      'JoinBenchmark.sort [mode=sample]',
      'JoinBenchmark.start',
    ])
  })
})

test.each([
  ['ns/op', 8, 8],
  ['s/op', 8, 8e9],
  ['min/op', 1, 60e9],
  ['ops/ns', 8, 0.125],
  ['ops/us', 8, 125],
  ['ops/s', 8, 125e6],
  ['ops/min', 60, 1e9],
])('unit %s', (scoreUnit, score, value) => {
  const run = { benchmark: 'a.B.c', mode: 'avgt', primaryMetric: { score, scoreUnit, rawData: [[score]] } }
  expect(readBenchmarkResults(utf8(JSON.stringify([run]))).results[0]?.value).toBeCloseTo(value, 9)
})

test('what profilers measured are metrics; per operation less is better', () => {
  expect(results[0]?.metrics).toEqual([
    { name: 'gc.alloc.rate', value: 812.5, unit: 'MB/sec' },
    { name: 'gc.alloc.rate.norm', value: 2048, unit: 'B/op', betterWhen: 'lower' },
    { name: 'gc.count', value: 14, unit: 'counts' },
  ])
})

test('the Java is told', () => {
  expect(environment).toEqual({
    runtime: 'OpenJDK 64-Bit Server VM 17.0.9+9',
    'library:jmh': '1.37',
    jvm_args: '-Xmx1g',
  })
})

test('another unit is refused, a missing score is told', () => {
  const run = { benchmark: 'a.B.c', mode: 'avgt', primaryMetric: { score: 1, scoreUnit: 'apples' } }
  expect(() => readBenchmarkResults(utf8(JSON.stringify([run])))).toThrow(/\$\[0\]\.primaryMetric\.scoreUnit/)
  const failed = { ...run, primaryMetric: { score: 'NaN', scoreUnit: 'ns/op' } }
  expect(readBenchmarkResults(utf8(JSON.stringify([failed]))).warnings[0]).toMatch(/has no score/)
})

test('what JMH 1.38 wrote: six rounds of two forks, and distributions without their percentiles twice', () => {
  const recorded = readBenchmarkResults(sample('jmh', 'recorded-modes.json'))
  expect(recorded.warnings).toEqual([])
  expect(
    recorded.results.map(({ uri, stats, roundValues }) => [
      uri.split('::')[1],
      stats.rounds,
      roundValues?.length,
    ]),
  ).toEqual([
    ['join [count=10 mode=thrpt]', 6, 6],
    ['join [count=10000 mode=thrpt]', 6, 6],
    ['join [count=10 mode=avgt]', 6, 6],
    ['join [count=10000 mode=avgt]', 6, 6],
    ['hash [count=10 mode=sample]', 3784, undefined],
    ['hash [count=10000 mode=sample]', 1811, undefined],
    ['hash [count=10 mode=ss]', 6, 6],
    ['hash [count=10000 mode=ss]', 6, 6],
  ])
  const [score, distribution] = [recorded.results[2], recorded.results[5]]
  // As JMH itself prints them: 3.216 us/op, and p0.99 of 0.043 ms/op.
  expect(score?.stats.mean).toBeCloseTo(3216, 0)
  expect(distribution?.metrics.find(({ name }) => name === 'p99')?.value).toBeCloseTo(42_660, 0)
  expect(distribution?.metrics.map(({ name }) => name)).toEqual([
    'p90',
    'p95',
    'p99',
    'p99.9',
    'p99.99',
    'gc.alloc.rate',
    'gc.alloc.rate.norm',
    'gc.count',
  ])
})
