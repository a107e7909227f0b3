import { defineSummary } from './define-summary.ts'
import { liveQuestion } from './live-shapes.ts'
import { summaryColumns } from './summary-columns.ts'

export const valEntries = defineSummary({
  id: 'val_entries',
  title: 'Value entries',
  description: 'Values that a program keeps telling under a key, the last of each.',
  path: 'val',
  input: {
    live_app_id: liveQuestion.live_app_id,
    session: liveQuestion.session,
    filter: liveQuestion.filter,
    limit: liveQuestion.limit,
  },
  columns: summaryColumns.values,
  example: { name: 'config', measures: { logged: 1 }, texts: { last_value: 'Config { retries: 3 }' } },
})
