import { defineLog, liveItemId, liveItemName } from './define-log.ts'

export const streamLogs = defineLog({
  id: 'stream_logs',
  title: 'Items of a stream',
  description: 'The newest items of a stream.',
  path: 'streams/logs',
  item: {
    stream_name: liveItemName.optional().describe('Else of all.'),
    stream_id: liveItemId.optional().describe('Or its id.'),
  },
  example: { name: 'ticks', text: 'Tick(12)' },
  exampleInput: { stream_name: 'ticks' },
})
