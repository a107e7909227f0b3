import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getProfile } from '../targets.ts'
import { ask } from './asking.ts'

export const listThreads = implement(operations.listThreads)(async (input, context) => {
  const record = await getProfile(context, input.profile_id)
  const { type, unit, threads, threadCount } = await ask(context, record, input, 'threads', {
    limit: input.top_n,
  })
  return {
    profile_id: record.id,
    sample_type: type,
    unit,
    thread_count: threadCount,
    threads: threads.map(({ process = null, thread, total, percent }) => ({
      process,
      thread,
      total_value: total,
      percent,
    })),
  }
})
