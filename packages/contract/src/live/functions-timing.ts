import { defineSummary } from './define-summary.ts'
import { livePercentiles, liveQuestion, liveSort } from './live-shapes.ts'
import { summaryColumns } from './summary-columns.ts'

export const functionsTiming = defineSummary({
  id: 'functions_timing',
  title: 'Function timings',
  description:
    'Calls, mean, percentiles, total time and share of each function: what dominates, what has spikes.',
  path: 'functions/timing',
  input: {
    ...liveQuestion,
    sort: liveSort('total_ns'),
    percentiles: livePercentiles,
  },
  columns: summaryColumns.functions_timing,
  example: {
    share_percent: 62.5,
    percentiles_of: 'window',
    measures: {
      calls: 1200,
      calls_per_second: 20,
      total_ns: 3.6e9,
      mean_ns: 3e6,
      p50_ns: 2.8e6,
      p95_ns: 4.1e6,
      p99_ns: 9.2e6,
      max_ns: 1.2e7,
      wall_percent: 6,
    },
  },
  whole: { measure: 'total_ns', value: 5.76e9 },
})
