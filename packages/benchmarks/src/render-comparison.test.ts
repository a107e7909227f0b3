import { expect, test } from 'vitest'
import type { BenchmarkResult } from './benchmark-result.ts'
import { compareBenchmarks } from './compare-benchmarks.ts'
import { renderComparison } from './render-comparison.ts'
import { wallTime } from './measure.ts'

function result(uri: string, value: number): BenchmarkResult {
  const stats = { mean: value, stdev: value / 100, rounds: 30 }
  return { uri, name: uri, ...wallTime, value, statistic: 'mean', stats, metrics: [] }
}

test('a report reads from the conditions over the bad news to the rest', () => {
  const comparison = compareBenchmarks(
    {
      environment: { cpu: 'A', date: 'Monday' },
      results: [result('a|b', 1000), result('c', 2e6), result('d', 5), result('old', 9)],
    },
    {
      environment: { cpu: 'B', date: 'Tuesday' },
      results: [result('a|b', 1500), result('c', 1e6), result('d', 5), result('add', 3e9)],
    },
  )
  const report = renderComparison(comparison, { base_run_id: 'run_a', head_run_id: 'run_b' })
  expect(report.split('\n').map((line) => line.replace(/^(- (?:a|c).*?): .*$/, '$1: …'))).toEqual([
    '---',
    'base_run_id: "run_a"',
    'head_run_id: "run_b"',
    'threshold_percent: 5',
    'confidence: 0.95',
    'regressed: 1',
    'improved: 1',
    'unchanged: 1',
    'noisy: 0',
    'new: 1',
    'missing: 1',
    'incomparable: 0',
    'geometric_mean_change: "−9.1 %"',
    'environment_differs: true',
    '---',
    '',
    '## Environment Differences (1)',
    '',
    'The two runs were not made under the same conditions; changes below may come from there.',
    '',
    '| Property | Base | Head |',
    '| --- | --- | --- |',
    '| cpu | A | B |',
    '',
    'Of no weight: date.',
    '',
    '## Regressions (1)',
    '',
    '| Benchmark | Base | Head | Change | Confidence | Noise |',
    '| --- | --- | --- | --- | --- | --- |',
    String.raw`| a\|b | 1 µs | 1.5 µs | +50.0 % | +38.8 % … +62.1 % | ±1 % |`,
    '',
    String.raw`- a\|b: …`,
    '',
    '## Improvements (1)',
    '',
    '| Benchmark | Base | Head | Change | Confidence | Noise |',
    '| --- | --- | --- | --- | --- | --- |',
    '| c | 2 ms | 1 ms | −50.0 % | −53.7 % … −46.0 % | ±1 % |',
    '',
    '- c: …',
    '',
    '## New (1)',
    '',
    '| Benchmark | Value |',
    '| --- | --- |',
    '| add | 3 s |',
    '',
    '## Missing (1)',
    '',
    '| Benchmark | Value |',
    '| --- | --- |',
    '| old | 9 ns |',
    '',
    '## Unchanged (1)',
    '',
    'One benchmark stays within the threshold.',
    '',
    '## Next',
    '',
    '- Measure base and head under the same conditions before you act on a change.',
    '- Look at the worst regression: compare its flame graphs of both runs, change one thing, measure again.',
    '- See whether the missing benchmarks were removed or renamed, or failed.',
    '',
  ])
})

test('values are in their own units', () => {
  const [base, head] = [5, 8].map((mebibytes) => ({
    environment: {},
    results: [
      {
        ...result('heap', mebibytes * 2 ** 20),
        instrument: 'memory' as const,
        metric: 'peak_memory',
        unit: 'B',
      },
      {
        ...result('calls', mebibytes * 1e6),
        instrument: 'simulation' as const,
        metric: 'instructions',
        unit: 'instructions',
      },
    ],
  }))
  if (!base || !head) throw new Error('There should be two runs')
  const report = renderComparison(compareBenchmarks(base, head), {})
  expect(report).toContain('| heap | 5 MiB | 8 MiB | +60.0 % |')
  expect(report).toContain('| calls | 5,000,000 instructions | 8,000,000 instructions | +60.0 % |')
})

test('ignored benchmarks come last, with their verdict', () => {
  const comparison = compareBenchmarks(
    { environment: {}, results: [result('a', 1), result('b', 1)] },
    { environment: {}, results: [result('a', 2), result('b', 1)] },
    { ignored: new Set(['walltime time a']) },
  )
  const report = renderComparison(comparison, {})
  expect(report).toContain('ignored: 1')
  expect(report).not.toContain('## Regressions')
  expect(report).toContain('## Ignored (1)')
  expect(report).toContain('| a | regressed | +100.0 % |')
  expect(report).toContain('- Nothing: no benchmark became worse.')
})

test('runs under the same conditions have no environment section', () => {
  const run = { environment: { cpu: 'A' }, results: [result('a', 1)] }
  expect(renderComparison(compareBenchmarks(run, run), {})).not.toContain('## Environment')
})

test('tables are bounded, worst first, and say what they leave out', () => {
  const names = Array.from({ length: 3000 }, (_, index) => `suite::${'x'.repeat(300)}::${index}`)
  const comparison = compareBenchmarks(
    { environment: {}, results: names.map((name) => result(name, 100)) },
    { environment: {}, results: names.map((name, index) => result(name, 150 + index)) },
  )
  const report = renderComparison(comparison, {}, { rowsMax: 10 })
  expect(report).toContain('## Regressions (3000)')
  expect(report).toContain('2990 more are left out.')
  expect(report.indexOf('×31.5')).toBeGreaterThan(0)
  // About four characters a token.
  expect(renderComparison(comparison, {}).length).toBeLessThan(80_000 / 4)
})

test('a uri without markup can be copied out of the report', () => {
  const uri = 'hyperfine::count_to_10 [size=10] *'
  const run = { environment: {}, results: [result(uri, 1)] }
  const none = { environment: {}, results: [] }
  expect(renderComparison(compareBenchmarks(none, run), {})).toContain(`| ${uri} |`)
})

test('a name cannot break the table or bring markup', () => {
  const name = 'evil | name\n## Heading `code` <img src=x> [link](http://example.com)'
  const run = { environment: {}, results: [result(name, 1)] }
  const report = renderComparison(compareBenchmarks({ environment: {}, results: [] }, run), {})
  const row = report.split('\n').find((line) => line.includes('evil'))
  expect(row).toContain(String.raw`evil \| name ## Heading \`code\` \<img src=x> [link]\(http://example.com)`)
  expect(report.split('\n').filter((line) => line.startsWith('## '))).toEqual(['## New (1)', '## Next'])
})
