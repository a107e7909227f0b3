import { defineLog, liveItemId, liveItemName } from './define-log.ts'

export const functionAllocLogs = defineLog({
  id: 'function_alloc_logs',
  title: 'Allocations of a function',
  description: 'What the newest calls of a function allocated.',
  path: 'functions/alloc/logs',
  item: {
    function_name: liveItemName.optional().describe('Else of all.'),
    function_id: liveItemId.optional().describe('Or its id.'),
  },
  example: { measures: { allocated_bytes: 8192, allocations: 4 }, thread: 'worker-1' },
  exampleInput: { function_name: 'shop::pay' },
})
