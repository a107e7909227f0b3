import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getProfile } from '../targets.ts'
import { ask } from './asking.ts'

export const getProfileTimeline = implement(operations.getProfileTimeline)(async (input, context) => {
  const record = await getProfile(context, input.profile_id)
  const timeline = await ask(context, record, input, 'timeline', {
    by: input.group_by,
    bucketCount: input.bucket_count,
    maxSeries: input.top_n,
  })
  return {
    profile_id: record.id,
    sample_type: timeline.sampleType,
    unit: timeline.unit,
    start_ms: timeline.startMs,
    end_ms: timeline.endMs,
    bucket_ms: timeline.bucketMs,
    series: timeline.series.map(({ name, value, percent, values, gaps }) => ({
      name,
      total_value: value,
      percent,
      values: [...values],
      gaps: gaps.map(({ fromMs, toMs }) => ({ from_ms: fromMs, to_ms: toMs })),
    })),
  }
})
