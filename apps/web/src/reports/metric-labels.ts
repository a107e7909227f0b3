import type { RowMetric, SeriesMetric } from '@flamegate/loadtest/report'

/** Numbers of a run or an action, in words. */
export const rowMetricLabels: Readonly<Record<RowMetric, string>> = {
  count: 'Count',
  rate: 'Rate',
  mean: 'Mean',
  min: 'Minimum',
  p50: 'p50',
  p90: 'p90',
  p95: 'p95',
  p99: 'p99',
  'p99.9': 'p99.9',
  max: 'Maximum',
  failed: 'Errors',
  error_share: 'Error share',
  sent_bytes: 'Sent',
  received_bytes: 'Received',
  apdex: 'Apdex',
}

/** What charts can draw, in words. */
export const seriesMetricLabels: Readonly<Record<SeriesMetric, string>> = {
  rate: 'Requests per second',
  mean: 'Mean response time',
  min: 'Minimum',
  p50: 'p50',
  p75: 'p75',
  p90: 'p90',
  p95: 'p95',
  p99: 'p99',
  'p99.9': 'p99.9',
  max: 'Maximum',
  error_rate: 'Errors per second',
  error_share: 'Share of errors',
  sent_bytes_rate: 'Sent bytes per second',
  received_bytes_rate: 'Received bytes per second',
  connections_opened: 'Connections opened',
  users: 'Users',
  iterations_rate: 'Iterations per second',
  cpu_share: 'CPU of the agents',
  event_loop_delay_max: 'Event loop delay of the agents',
  send_lag_max: 'Send lag of the agents',
}

/** The label of a metric of charts that may be newer than this page. */
export function seriesMetricLabel(metric: string): string {
  return Object.entries(seriesMetricLabels).find(([name]) => name === metric)?.[1] ?? metric
}

/** The same of a number of a run. */
export function rowMetricLabel(metric: string): string {
  return Object.entries(rowMetricLabels).find(([name]) => name === metric)?.[1] ?? metric
}
