import { defineLog, liveItemId } from './define-log.ts'

export const valLogs = defineLog({
  id: 'val_logs',
  title: 'Logged values',
  description: 'The newest values of a value entry.',
  path: 'val/logs',
  item: { debug_id: liveItemId.describe('Id or name of the entry.') },
  example: { name: 'config', text: 'Config { retries: 3 }' },
  exampleInput: { debug_id: 'config' },
})
