import { defineLog, liveItemId, liveItemName } from './define-log.ts'

export const channelLogs = defineLog({
  id: 'channel_logs',
  title: 'Messages of a channel',
  description: 'The newest messages of a channel, sent and received.',
  path: 'channels/logs',
  item: {
    channel_name: liveItemName.optional().describe('Else of all.'),
    channel_id: liveItemId.optional().describe('Or its id.'),
  },
  example: { name: 'orders', measures: { delay_ns: 12_000 }, kind: 'sent', text: 'Order(7)' },
  exampleInput: { channel_name: 'orders' },
})
