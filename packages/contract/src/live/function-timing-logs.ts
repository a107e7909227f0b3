import { defineLog, liveItemId, liveItemName } from './define-log.ts'

export const functionTimingLogs = defineLog({
  id: 'function_timing_logs',
  title: 'Calls of a function',
  description: 'The newest calls of a function: how long each took, when, where, its result.',
  path: 'functions/timing/logs',
  item: {
    function_name: liveItemName.optional().describe('Else of all.'),
    function_id: liveItemId.optional().describe('Or its id.'),
  },
  example: { measures: { duration_ns: 3_100_000 }, thread: 'worker-1' },
  exampleInput: { function_name: 'shop::pay' },
})
