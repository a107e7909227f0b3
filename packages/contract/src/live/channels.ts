import { defineSummary } from './define-summary.ts'
import { liveQuestion, liveSort } from './live-shapes.ts'
import { summaryColumns } from './summary-columns.ts'

export const channels = defineSummary({
  id: 'channels',
  title: 'Channels',
  description:
    'Sent, received, waiting and delay of each channel or queue: throughput, and pressure with sort=queued.',
  path: 'channels',
  input: {
    ...liveQuestion,
    sort: liveSort('sent'),
  },
  columns: summaryColumns.channels,
  example: {
    name: 'orders',
    kind: 'bounded[100]',
    state: 'full',
    share_percent: 90,
    measures: {
      sent: 6000,
      received: 5900,
      sent_per_second: 100,
      received_per_second: 98.3,
      queued: 100,
      queued_change: 100,
      capacity: 100,
    },
  },
  whole: { measure: 'sent', value: 6667 },
})
