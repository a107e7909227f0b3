import { createTar } from 'nanotar'
import { describe, expect, test } from 'vitest'
import type { BenchmarkResult } from '../benchmark-result.ts'
import { readBenchmarkResults } from '../read-benchmark-results.ts'
import { sampleArchive } from '../testing/sample-archive.ts'
import { sample, utf8 } from '../testing/sample.ts'

const uris = ['checksum/fold/64', 'checksum/fold/4096', 'sort/unstable, reversed', 'join words']

function read(text: string) {
  return readBenchmarkResults(utf8(text), { adapter: 'criterion' })
}

function folder(files: Record<string, unknown>) {
  const entries = Object.entries(files).map(([name, content]) => ({ name, data: JSON.stringify(content) }))
  return readBenchmarkResults(createTar(entries))
}

function throughputOf(result: BenchmarkResult | undefined) {
  return result?.metrics.find(({ name }) => name === 'throughput')
}

function estimate(value: number) {
  return { point_estimate: value, confidence_interval: { lower_bound: value - 1, upper_bound: value + 1 } }
}

describe('target/criterion', () => {
  const report = readBenchmarkResults(sampleArchive('criterion', 'target'))
  const byUri = new Map(report.results.map((result) => [result.uri, result]))

  test('every benchmark is there by its full id, with its rounds', () => {
    expect(report).toMatchObject({ adapters: ['criterion'], warnings: [] })
    expect([...byUri.keys()].toSorted()).toEqual(uris.toSorted())
    expect(report.results.map(({ roundValues }) => roundValues?.length)).toEqual([20, 20, 20, 20])
  })

  test('medians and deviations of the rounds are those that criterion printed of the same run', () => {
    const printed = readBenchmarkResults(sample('criterion', 'bencher.txt')).results
    expect(printed.map(({ uri }) => uri)).toEqual(uris)
    for (const { uri, value, stats } of printed) {
      // It cuts off what is behind the point.
      expect(Math.trunc(byUri.get(uri)?.value ?? Number.NaN)).toBe(value)
      expect(Math.trunc(byUri.get(uri)?.stats.stdev ?? Number.NaN)).toBe(stats.stdev)
    }
  })

  test('the bounds of the median, the slope and the throughput are kept', () => {
    const fold = byUri.get('checksum/fold/64')
    expect(fold?.stats.low).toBeCloseTo(47.45831615, 8)
    expect(fold?.stats.high).toBeCloseTo(47.85811041, 8)
    expect(fold?.metrics[0]).toMatchObject({
      name: 'slope',
      value: expect.closeTo(48.30519589, 8),
      unit: 'ns',
    })
    expect(throughputOf(fold)).toEqual({
      name: 'throughput',
      value: expect.closeTo(64e9 / 47.645091882583515, 3),
      unit: 'B/s',
      betterWhen: 'higher',
    })
    expect(throughputOf(byUri.get('sort/unstable, reversed'))).toMatchObject({ unit: 'elements/s' })
    // It was sampled flat, so there is no line to fit.
    expect(byUri.get('sort/unstable, reversed')?.metrics.map(({ name }) => name)).toEqual(['throughput'])
  })

  const estimates = { mean: estimate(12), median: estimate(11), std_dev: estimate(3), slope: null }

  test('without rounds and name, estimates and folder are taken, and it says so', () => {
    const { results, warnings } = folder({ 'target/criterion/a/b/new/estimates.json': estimates })
    expect(results).toMatchObject([
      { uri: 'a/b', value: 11, statistic: 'median', stats: { low: 10, high: 12, mean: 12, stdev: 3 } },
    ])
    expect(warnings).toHaveLength(2)
  })

  test('what is compared with is not read a second time', () => {
    const { results } = folder({ 'a/new/estimates.json': estimates, 'a/base/estimates.json': estimates })
    expect(results).toHaveLength(1)
  })

  test('a refusal names the file and the place in it', () => {
    const files = { 'a/new/estimates.json': estimates, 'a/new/sample.json': { iters: [1, 0], times: [5, 6] } }
    expect(() => folder(files)).toThrow(/each at least 1 \(at a\/new\/sample\.json, \$\.times\)/)
  })
})

describe('cargo criterion --message-format=json', () => {
  test('says the same as the folder', () => {
    const messages = readBenchmarkResults(sample('criterion', 'messages.txt')).results
    const files = readBenchmarkResults(sampleArchive('criterion', 'target')).results
    expect(messages).toHaveLength(3)
    for (const result of messages) expect(files).toContainEqual(result)
  })

  test('one message alone, and other units of time', () => {
    const message = { id: 'a', unit: 'ms', measured_values: [10, 24], iteration_count: [10, 20], slope: null }
    const { results } = read(JSON.stringify({ reason: 'benchmark-complete', ...message }))
    expect(results).toMatchObject([{ uri: 'a', value: 1.1e6, roundValues: [1e6, 1.2e6] }])
  })

  test('what is not measured in time is named', () => {
    const message = { reason: 'benchmark-complete', id: 'a', unit: 'cycles' }
    expect(read(JSON.stringify(message)).warnings[0]).toBe(
      '$.unit: "a" is measured in "cycles", not in time, ignored.',
    )
  })

  test('a cut line is refused with its number', () => {
    expect(() => read('{"reason":"group-complete"}\n{"reason":"benchmark-complete","id"')).toThrow(
      /\(line 2\)$/,
    )
  })
})

describe('what it prints', () => {
  test('the middle of the three times, between its bounds', () => {
    const { results } = readBenchmarkResults(sample('criterion', 'console.txt'))
    expect(results.map(({ uri, value, stats }) => [uri, value, stats.low, stats.high])).toEqual([
      ['checksum/fold/64', 38.492, 38.184, 38.862],
      ['checksum/fold/4096', 3340.5, 3337.8, 3344.2],
      ['sort/unstable, reversed', 736_580, 724_680, 747_990],
      ['join words', 23.485, 22.662, 24.411],
    ])
    expect(results[0]?.stats).toMatchObject({ rounds: 20, outlierRounds: 2 })
  })

  test('throughput in the units of the metric system and of memory', () => {
    const { results } = readBenchmarkResults(sample('criterion', 'console.txt'))
    expect(throughputOf(results[0])?.value).toBeCloseTo(1.5485 * 2 ** 30, 3)
    expect(throughputOf(results[2])).toMatchObject({ value: 67_881_000, low: 66_846_000, unit: 'elements/s' })
  })

  test('a long name on the line before; the change since then is none of the times', () => {
    const { results } = read(`Benchmarking a name that is too long: Analyzing
a name that is too long
                        time:   [320.62 ps 323.90 ps 327.55 ps]
                 change:
                        time:   [-2.0565% -0.2521% +1.6377%] (p = 0.79 > 0.05)
`)
    expect(results.map(({ uri, value }) => [uri, value])).toEqual([
      ['a name that is too long', expect.closeTo(0.3239, 9)],
    ])
  })

  test('what a terminal wrote over is no part of the name', () => {
    const steps = [
      '',
      ': Warming up for 3.0000 s',
      ': Collecting 50 samples in estimated 5.0 s',
      ': Analyzing',
    ]
    const written = steps.map((step) => `Benchmarking fib 20${step}\r\u001B[K`).join('')
    const { results } = read(`${written}fib 20                  time:   [26.0 ns 26.2 ns 26.5 ns]\r\n`)
    expect(results).toMatchObject([{ uri: 'fib 20', value: 26.2, stats: { rounds: 50 } }])
  })

  test('an unknown unit of time is refused, one of throughput is named', () => {
    expect(() => read('a  time:   [1 h 2 fortnights 3 h]')).toThrow(
      /"fortnights" is no unit of time \(line 1\)/,
    )
    expect(read('a  time:   [1 s 2 s 3 s]\n  thrpt:  [1 x/s 2 x/s 3 x/s]').warnings[0]).toMatch(
      /^line 2: a thr/,
    )
  })
})
