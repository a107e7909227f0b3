import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getProfile } from '../targets.ts'
import { ask } from './asking.ts'
import { findingFunctions } from './finding-functions.ts'
import { entryOnWire } from './shares-on-wire.ts'

export const getFunctionCallers = implement(operations.getFunctionCallers)(async (input, context) => {
  const record = await getProfile(context, input.profile_id)
  const answer = await findingFunctions(
    ask(context, record, input, 'sandwich', {
      functionName: input.function_name,
      depth: input.depth,
      minPercent: input.min_percent,
      maxEntries: input.max_entries,
    }),
    'function_name',
  )
  return {
    profile_id: record.id,
    function_name: answer.functionName,
    sample_type: answer.sampleType,
    unit: answer.unit,
    self_value: answer.selfValue,
    self_percent: answer.selfPercent,
    total_value: answer.totalValue,
    total_percent: answer.totalPercent,
    callers: answer.callers.map((entry) => entryOnWire(entry, record.source)),
    callees: answer.callees.map((entry) => entryOnWire(entry, record.source)),
    omitted_callers: answer.omitted.callers,
    omitted_callees: answer.omitted.callees,
  }
})
