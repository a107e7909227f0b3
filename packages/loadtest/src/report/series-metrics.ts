/**
 * What charts of a run can draw, with its unit, as `get_bench_series` has it: times are of what was begun in a second, shares
 * are from 0 to 1.
 */
export const seriesMetrics = {
  rate: 'per second',
  mean: 'ms',
  min: 'ms',
  p50: 'ms',
  p75: 'ms',
  p90: 'ms',
  p95: 'ms',
  p99: 'ms',
  'p99.9': 'ms',
  max: 'ms',
  error_rate: 'per second',
  error_share: 'share',
  sent_bytes_rate: 'bytes per second',
  received_bytes_rate: 'bytes per second',
  connections_opened: 'count',
  users: 'users',
  iterations_rate: 'per second',
  cpu_share: 'share',
  event_loop_delay_max: 'ms',
  send_lag_max: 'ms',
} as const
export type SeriesMetric = keyof typeof seriesMetrics

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the names of the object above
export const seriesMetricNames = Object.keys(seriesMetrics) as [SeriesMetric, ...SeriesMetric[]]

/** Numbers of a whole run, of one action, or of a container: the columns of `get_bench_table`. */
export const rowMetrics = {
  count: 'count',
  rate: 'per second',
  mean: 'ms',
  min: 'ms',
  p50: 'ms',
  p90: 'ms',
  p95: 'ms',
  p99: 'ms',
  'p99.9': 'ms',
  max: 'ms',
  failed: 'count',
  error_share: 'share',
  sent_bytes: 'bytes',
  received_bytes: 'bytes',
  apdex: 'score',
} as const
export type RowMetric = keyof typeof rowMetrics

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the names of the object above
export const rowMetricNames = Object.keys(rowMetrics) as [RowMetric, ...RowMetric[]]
