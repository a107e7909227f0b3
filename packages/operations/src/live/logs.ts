import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { answerLog } from './answer-log.ts'

/** Tools that tell the newest entries of a log. */

export const functionTimingLogs = implement(operations.functionTimingLogs)((input, context) =>
  answerLog(context, 'functions_timing', input, { name: input.function_name, id: input.function_id }),
)
export const functionAllocLogs = implement(operations.functionAllocLogs)((input, context) =>
  answerLog(context, 'functions_alloc', input, { name: input.function_name, id: input.function_id }),
)
export const channelLogs = implement(operations.channelLogs)((input, context) =>
  answerLog(context, 'channels', input, { name: input.channel_name, id: input.channel_id }),
)
export const streamLogs = implement(operations.streamLogs)((input, context) =>
  answerLog(context, 'streams', input, { name: input.stream_name, id: input.stream_id }),
)
export const futureLogs = implement(operations.futureLogs)((input, context) =>
  answerLog(context, 'futures', input, { name: input.future_name, id: input.future_id }),
)
export const gaugeLogs = implement(operations.gaugeLogs)((input, context) =>
  answerLog(context, 'gauges', input, { name: input.gauge_name, id: input.gauge_id }),
)
export const dbgLogs = implement(operations.dbgLogs)((input, context) =>
  answerLog(context, 'debug', input, { nameOrId: input.debug_id }),
)
export const valLogs = implement(operations.valLogs)((input, context) =>
  answerLog(context, 'values', input, { nameOrId: input.debug_id }),
)
