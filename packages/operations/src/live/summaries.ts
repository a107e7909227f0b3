import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { answerSection } from './answer-section.ts'

/** Tools that tell of a section: they differ in what they ask for, as their definitions say, and in nothing else. */

export const functionsTiming = implement(operations.functionsTiming)((input, context) =>
  answerSection(context, 'functions_timing', input),
)
export const functionsAlloc = implement(operations.functionsAlloc)((input, context) =>
  answerSection(context, 'functions_alloc', input),
)
export const channels = implement(operations.channels)((input, context) =>
  answerSection(context, 'channels', input),
)
export const streams = implement(operations.streams)((input, context) =>
  answerSection(context, 'streams', input),
)
export const futures = implement(operations.futures)((input, context) =>
  answerSection(context, 'futures', input),
)
export const threads = implement(operations.threads)((input, context) =>
  answerSection(context, 'threads', input),
)
export const gauges = implement(operations.gauges)((input, context) =>
  answerSection(context, 'gauges', input),
)
export const dbgEntries = implement(operations.dbgEntries)((input, context) =>
  answerSection(context, 'debug', input),
)
export const valEntries = implement(operations.valEntries)((input, context) =>
  answerSection(context, 'values', input),
)
export const tokioRuntime = implement(operations.tokioRuntime)((input, context) =>
  answerSection(context, 'runtime', input),
)
