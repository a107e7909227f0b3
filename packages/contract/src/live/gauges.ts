import { defineSummary } from './define-summary.ts'
import { liveQuestion } from './live-shapes.ts'
import { summaryColumns } from './summary-columns.ts'

export const gauges = defineSummary({
  id: 'gauges',
  title: 'Gauges',
  description: 'Numbers that a program tells of itself, with the last value of each.',
  path: 'gauges',
  input: {
    live_app_id: liveQuestion.live_app_id,
    session: liveQuestion.session,
    filter: liveQuestion.filter,
    limit: liveQuestion.limit,
  },
  columns: summaryColumns.gauges,
  example: { name: 'open_orders', measures: { value: 42, logged: 600, logged_per_second: 10 } },
})
