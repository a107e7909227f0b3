import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getProfile } from '../targets.ts'
import { ask } from './asking.ts'

export const listProfileLabels = implement(operations.listProfileLabels)(async (input, context) => {
  const record = await getProfile(context, input.profile_id)
  const { type, unit, labels } = await ask(context, record, input, 'labels', { limit: input.top_n })
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
