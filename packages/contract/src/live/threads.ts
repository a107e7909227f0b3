import { defineSummary } from './define-summary.ts'
import { liveQuestion, liveSort } from './live-shapes.ts'
import { summaryColumns } from './summary-columns.ts'

export const threads = defineSummary({
  id: 'threads',
  title: 'Threads',
  description: 'CPU and memory of each thread and of the process; kept_bytes: allocated and not freed.',
  path: 'threads',
  input: {
    ...liveQuestion,
    sort: liveSort('cpu_percent'),
  },
  columns: summaryColumns.threads,
  example: {
    name: 'worker-1',
    state: 'running',
    share_percent: 75,
    measures: {
      cpu_percent: 71.2,
      cpu_ns: 4.27e10,
      allocated_bytes: 8e8,
      freed_bytes: 6e8,
      kept_bytes: 2e8,
      kept_change_bytes: 1e7,
    },
  },
  whole: { measure: 'cpu_ns', value: 5.7e10 },
})
