import type { BenchRowShape } from '@flamegate/contract'
import type { RowMetric } from '@flamegate/loadtest'

const columns: Readonly<Record<RowMetric, { name: string; of: (row: BenchRowShape) => number | null }>> = {
  count: { name: 'Requests', of: (row) => row.count },
  rate: { name: 'Requests per second', of: (row) => row.rate_per_second },
  mean: { name: 'Mean', of: (row) => row.mean_ms },
  min: { name: 'Shortest', of: (row) => row.min_ms },
  p50: { name: 'Median', of: (row) => row.p50_ms },
  p90: { name: '90th percentile', of: (row) => row.p90_ms },
  p95: { name: '95th percentile', of: (row) => row.p95_ms },
  p99: { name: '99th percentile', of: (row) => row.p99_ms },
  'p99.9': { name: '99.9th percentile', of: (row) => row.p99_9_ms },
  max: { name: 'Longest', of: (row) => row.max_ms },
  failed: { name: 'Failed', of: (row) => row.failed },
  error_share: { name: 'Share of errors', of: (row) => row.error_share },
  sent_bytes: { name: 'Sent', of: (row) => row.sent_bytes },
  received_bytes: { name: 'Received', of: (row) => row.received_bytes },
  apdex: { name: 'Apdex', of: (row) => row.apdex },
}

export function metricName(metric: RowMetric): string {
  return columns[metric].name
}

export function metricOfRow(row: BenchRowShape, metric: RowMetric): number | null {
  return columns[metric].of(row)
}
