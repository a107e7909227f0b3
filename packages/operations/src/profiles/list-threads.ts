import { operations } from '@flamegate/contract'
import { listThreads as threadsOf, sampleTypeOf } from '@flamegate/profiles'
import { implement } from '../implement.ts'
import { openDetail, openProfile, sampleTypeIndex } from './decoded.ts'

export const listThreads = implement(operations.listThreads)(async (input, context) => {
  const { record, tree } = await openProfile(context, input.profile_id)
  const detail = await openDetail(context, record)
  const index = sampleTypeIndex(tree, input.sample_type)
  const { type, unit } = sampleTypeOf(tree, index)
  const { threads, threadCount } = threadsOf(tree, detail, { sampleTypeIndex: index, limit: input.top_n })
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
