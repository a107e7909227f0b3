import { expect, test } from 'vitest'
import { readBenchmarkResults } from '../read-benchmark-results.ts'
import { sample, utf8 } from '../testing/sample.ts'

test('the times of a command are its rounds, in ns', () => {
  const { results } = readBenchmarkResults(sample('hyperfine', 'two.json'))
  const document = JSON.parse(new TextDecoder().decode(sample('hyperfine', 'two.json')))
  expect(results.map(({ uri }) => uri)).toEqual(['hyperfine::seq 20000', 'hyperfine::seq 200000'])
  for (const [index, { stats, roundValues, metrics }] of results.entries()) {
    const own = document.results[index]
    expect(roundValues).toHaveLength(12)
    expect(stats.mean).toBeCloseTo(own.mean * 1e9, 2)
    expect(stats.median).toBeCloseTo(own.median * 1e9, 2)
    expect(stats.stdev).toBeCloseTo(own.stddev * 1e9, 2)
    expect(metrics.find(({ name }) => name === 'user_time')?.value).toBeCloseTo(own.user * 1e9, 2)
  }
})

test('parameters are part of the identity', () => {
  const { results } = readBenchmarkResults(sample('hyperfine', 'parameters.json'))
  expect(results.map(({ name }) => name)).toEqual([
    'count to 10000 [size=10000]',
    'count to 100000 [size=100000]',
  ])
})

test('a command that fails is told', () => {
  const { warnings } = readBenchmarkResults(sample('hyperfine', 'failing.json'))
  expect(warnings).toEqual([
    '$.results[0].exit_codes[0]: "ls /nothing-here" ended with exit code 2 (5 of 5 times).',
  ])
})

test('a file without single times gives its summary, and memory its median', () => {
  const document = {
    results: [
      { command: 'a', mean: 2, stddev: null, median: 1, min: 0.5, max: 3, memory_usage_byte: [10, 30, 20] },
      { command: 'b', mean: 2 },
    ],
  }
  const { results, warnings } = readBenchmarkResults(utf8(JSON.stringify(document)))
  expect(results[0]).toMatchObject({ value: 1e9, statistic: 'median', stats: { mean: 2e9, min: 5e8 } })
  expect(results[0]?.metrics).toEqual([{ name: 'peak_memory', value: 20, unit: 'B', betterWhen: 'lower' }])
  expect(results[1]).toMatchObject({ value: 2e9, statistic: 'mean' })
  expect(warnings).toHaveLength(2)
})

test('a signal is told as such', () => {
  const document = { results: [{ command: 'a', times: [1], exit_codes: [null] }] }
  expect(readBenchmarkResults(utf8(JSON.stringify(document))).warnings[0]).toMatch(/was ended by a signal/)
})

test('CSV: the summary with the parameters, and what would tell more', () => {
  const { results, warnings } = readBenchmarkResults(sample('hyperfine', 'parameters.csv'))
  expect(results.map(({ name }) => name)).toEqual([
    'seq 10000 | tail -1 [size=10000]',
    'seq 100000 | tail -1 [size=100000]',
  ])
  expect(results[0]).toMatchObject({ statistic: 'median' })
  expect(results[0]?.value).toBeCloseTo(2_325_374.62, 3)
  expect(results[0]?.stats.stdev).toBeCloseTo(800_228.114, 3)
  expect(warnings).toEqual(['line 1: CSV has no single times; --export-json keeps them.'])
})

test('Markdown: rounded numbers in the unit of the heading', () => {
  const { results } = readBenchmarkResults(sample('hyperfine', 'parameters.md'))
  expect(results).toMatchObject([
    { uri: 'hyperfine::seq 10000 | tail -1', value: 2.3e6, stats: { stdev: 8e5, min: 1e6, max: 3.3e6 } },
    { uri: 'hyperfine::seq 100000 | tail -1', value: 13.3e6 },
  ])
})

test('CSV: a quoted command keeps its commas, a row that is cut is refused', () => {
  const head = 'command,mean,stddev,median,user,system,min,max\n'
  const { results } = readBenchmarkResults(utf8(`${head}"echo ""a"",b",2,,1.5,1,1,1,3\n`))
  expect(results).toMatchObject([{ name: 'echo "a",b', value: 1.5e9 }])
  expect(() => readBenchmarkResults(utf8(`${head}echo,2,1\n`))).toThrow(/Expected 8 cells.*\(line 2\)/)
})

test('CSV: of one file put to another the second heading is no row', () => {
  const head = 'command,mean,stddev,median,user,system,min,max\n'
  const { results } = readBenchmarkResults(utf8(`${head}a,2,,1.5,1,1,1,3\n${head}b,2,,1.5,1,1,1,3\n`))
  expect(results.map(({ name }) => name)).toEqual(['a', 'b'])
})

test('a deviation that was rounded away, or that a single run does not have, is none', () => {
  const csv = 'command,mean,stddev,median,user,system,min,max\ntrue,0.5,0,0.5,0,0,0.5,0.5\n'
  const markdown =
    '| Command | Mean [s] | Min [s] | Max [s] | Relative |\n|:---|---:|---:|---:|---:|\n| `true` | 0.010 ± 0.000 | 0.010 | 0.010 | 1.00 |\n'
  for (const text of [csv, markdown]) {
    expect(readBenchmarkResults(utf8(text)).results[0]?.stats.stdev).toBeUndefined()
  }
})
