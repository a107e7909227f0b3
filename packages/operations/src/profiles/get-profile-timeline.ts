import { operations } from '@flamegate/contract'
import { profileTimeline } from '@flamegate/profiles'
import { implement } from '../implement.ts'
import { openDetail, openProfile, selectedSamples } from './decoded.ts'

export const getProfileTimeline = implement(operations.getProfileTimeline)(async (input, context) => {
  const { record, tree } = await openProfile(context, input.profile_id)
  const detail = await openDetail(context, record)
  const timeline = profileTimeline(tree, detail, {
    by: input.group_by,
    bucketCount: input.bucket_count,
    maxSeries: input.top_n,
    filter: selectedSamples(tree, input).filter,
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
