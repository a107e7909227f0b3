import { defineSummary } from './define-summary.ts'
import { liveQuestion, liveSort } from './live-shapes.ts'
import { summaryColumns } from './summary-columns.ts'

export const futures = defineSummary({
  id: 'futures',
  title: 'Futures',
  description: 'Calls, polls and poll time of each future, or promises and how many are pending.',
  path: 'futures',
  input: {
    ...liveQuestion,
    sort: liveSort('polls'),
  },
  columns: summaryColumns.futures,
  example: {
    name: 'fetch_order',
    share_percent: 100,
    measures: { calls: 60, polls: 240, poll_total_ns: 4.8e6, poll_mean_ns: 20_000 },
  },
  whole: { measure: 'polls', value: 240 },
})
