import { operations } from '@flamegate/contract'
import { listLabels, sampleTypeOf } from '@flamegate/profiles'
import { implement } from '../implement.ts'
import { openDetail, openProfile, sampleTypeIndex } from './decoded.ts'

export const listProfileLabels = implement(operations.listProfileLabels)(async (input, context) => {
  const { record, tree } = await openProfile(context, input.profile_id)
  const detail = await openDetail(context, record)
  const index = sampleTypeIndex(tree, input.sample_type)
  const { type, unit } = sampleTypeOf(tree, index)
  const labels = listLabels(tree, detail, { sampleTypeIndex: index, limit: input.top_n })
  return {
    profile_id: record.id,
    sample_type: type,
    unit,
    labels: labels.map(({ name, valueCount, values }) => ({
      name,
      value_count: valueCount,
      values: values.map(({ value, total, percent }) => ({ value, total_value: total, percent })),
    })),
  }
})
