import { defineSummary } from './define-summary.ts'
import { liveQuestion } from './live-shapes.ts'
import { summaryColumns } from './summary-columns.ts'

export const streams = defineSummary({
  id: 'streams',
  title: 'Streams',
  description: 'Items that each stream gave, and its state.',
  path: 'streams',
  input: {
    live_app_id: liveQuestion.live_app_id,
    last_seconds: liveQuestion.last_seconds,
    session: liveQuestion.session,
    filter: liveQuestion.filter,
    limit: liveQuestion.limit,
  },
  columns: summaryColumns.streams,
  example: {
    name: 'ticks',
    state: 'active',
    share_percent: 100,
    measures: { items: 600, items_per_second: 10 },
  },
  whole: { measure: 'items', value: 600 },
})
