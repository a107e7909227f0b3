import { defineLog, liveItemId } from './define-log.ts'

export const dbgLogs = defineLog({
  id: 'dbg_logs',
  title: 'Values of a debug entry',
  description: 'What a dbg! logged newest.',
  path: 'dbg/logs',
  item: { debug_id: liveItemId.describe('Id or name of the entry.') },
  example: { name: 'order.total', text: '12.50' },
  exampleInput: { debug_id: '1' },
})
