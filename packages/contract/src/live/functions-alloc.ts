import { defineSummary } from './define-summary.ts'
import { livePercentiles, liveQuestion, liveSort } from './live-shapes.ts'
import { summaryColumns } from './summary-columns.ts'

export const functionsAlloc = defineSummary({
  id: 'functions_alloc',
  title: 'Function allocations',
  description: 'Bytes and allocations of each function, and its share: where most memory is allocated.',
  path: 'functions/alloc',
  input: {
    ...liveQuestion,
    sort: liveSort('total_bytes'),
    percentiles: livePercentiles,
  },
  columns: summaryColumns.functions_alloc,
  example: {
    share_percent: 80,
    percentiles_of: 'since_start',
    measures: {
      calls: 1200,
      total_bytes: 9.6e6,
      bytes_per_second: 160_000,
      allocations: 4800,
      mean_bytes: 8000,
      p95_bytes: 16_384,
    },
  },
  whole: { measure: 'total_bytes', value: 1.2e7 },
})
