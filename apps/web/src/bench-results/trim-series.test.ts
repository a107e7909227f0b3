import { expect, test } from 'vitest'
import { type BenchSeries, trimSeries } from './trim-series.ts'

const line = (metric: 'rate' | 'users' | 'p95', values: (number | null)[]): BenchSeries['lines'][number] => ({
  metric,
  unit: 'ms',
  name: '',
  action: null,
  values,
})
const series = (...lines: BenchSeries['lines']): BenchSeries => ({
  seconds: [0, 1, 2, 3],
  bucket_seconds: 1,
  bench_result_id: 'bnr_1',
  project_id: 'prj_1',
  url: '',
  lines,
})

test('seconds at the end in which nothing was done are left out', () => {
  const trimmed = trimSeries(
    series(line('rate', [5, 0, 0, 0]), line('users', [0, 2, 0, 0]), line('p95', [1, null, 4, null])),
  )
  expect(trimmed.seconds).toEqual([0, 1])
  expect(trimmed.lines.map(({ values }) => values)).toEqual([
    [5, 0],
    [0, 2],
    [1, null],
  ])
})

test('a pause in the middle stays, and so does what nothing is known of', () => {
  const paused = series(line('rate', [5, 0, 0, 2]))
  expect(trimSeries(paused)).toBe(paused)
  const empty = series(line('rate', [0, 0, null, 0]))
  expect(trimSeries(empty)).toBe(empty)
  const without = series(line('p95', [1, 2, null, null]))
  expect(trimSeries(without)).toBe(without)
})
