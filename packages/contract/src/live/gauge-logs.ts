import { defineLog, liveItemId, liveItemName } from './define-log.ts'

export const gaugeLogs = defineLog({
  id: 'gauge_logs',
  title: 'Values of a gauge',
  description: 'The newest values of a gauge.',
  path: 'gauges/logs',
  item: {
    gauge_name: liveItemName.optional().describe('Else of all.'),
    gauge_id: liveItemId.optional().describe('Or its id.'),
  },
  example: { name: 'open_orders', measures: { value: 42 } },
  exampleInput: { gauge_name: 'open_orders' },
})
