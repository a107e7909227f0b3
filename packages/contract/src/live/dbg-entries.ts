import { defineSummary } from './define-summary.ts'
import { liveQuestion } from './live-shapes.ts'
import { summaryColumns } from './summary-columns.ts'

export const dbgEntries = defineSummary({
  id: 'dbg_entries',
  title: 'Debug entries',
  description: 'What a program logs with dbg!, with the last value of each.',
  path: 'dbg',
  input: {
    live_app_id: liveQuestion.live_app_id,
    session: liveQuestion.session,
    filter: liveQuestion.filter,
    limit: liveQuestion.limit,
  },
  columns: summaryColumns.debug,
  example: {
    name: 'order.total',
    measures: { logged: 12 },
    texts: { expression: 'order.total', last_value: '12.50' },
  },
})
