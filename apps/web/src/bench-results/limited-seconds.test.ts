import { expect, test } from 'vitest'
import { limitedSeconds } from './limited-seconds.ts'
import type { BenchSeries } from './trim-series.ts'

const series = (
  lines: Partial<Record<BenchSeries['lines'][number]['metric'], (number | null)[]>>,
): BenchSeries => ({
  seconds: [0, 10, 20],
  bucket_seconds: 10,
  bench_result_id: 'bnr_1',
  project_id: 'prj_1',
  url: '',
  lines: [
    { metric: 'cpu_share', unit: 'share', name: '', action: null, values: lines.cpu_share ?? [] },
    { metric: 'send_lag_max', unit: 'ms', name: '', action: null, values: lines.send_lag_max ?? [] },
    { metric: 'p99', unit: 'ms', name: '', action: null, values: lines.p99 ?? [] },
  ],
})

test('a bucket counts once, whatever was at its limit in it', () => {
  expect(limitedSeconds(series({ cpu_share: [0.95, 0.2, 0.2], send_lag_max: [200, 3, 101] }))).toBe(20)
})

test('at the limit, or not known, is not above it; other metrics have none', () => {
  expect(
    limitedSeconds(series({ cpu_share: [0.9, null, 0], send_lag_max: [100, 0, 0], p99: [900, 900, 900] })),
  ).toBe(0)
})
