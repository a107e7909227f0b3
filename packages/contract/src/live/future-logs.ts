import { defineLog, liveItemId, liveItemName } from './define-log.ts'

export const futureLogs = defineLog({
  id: 'future_logs',
  title: 'Calls of a future',
  description: 'The newest calls of a future: state, polls, time.',
  path: 'futures/logs',
  item: {
    future_name: liveItemName.optional().describe('Else of all.'),
    future_id: liveItemId.optional().describe('Or its id.'),
  },
  example: { name: 'fetch_order', measures: { duration_ns: 2e6, polls: 4 }, kind: 'ready' },
  exampleInput: { future_name: 'fetch_order' },
})
