import { operations } from '@flamegate/contract'
import { topFunctions } from '@flamegate/profiles'
import { implement } from '../implement.ts'
import { openProfile, sampleTypeIndex } from './decoded.ts'
import { shareOnWire } from './shares-on-wire.ts'

export const analyzeProfile = implement(operations.analyzeProfile)(async (input, context) => {
  const { record, tree } = await openProfile(context, input.profile_id)
  const top = topFunctions(tree, {
    sampleTypeIndex: sampleTypeIndex(tree, input.sample_type),
    by: input.sort_by,
    limit: input.top_n,
    focus: input.focus,
    ignore: input.ignore,
  })
  return {
    profile_id: record.id,
    sample_type: top.sampleType.type,
    unit: top.sampleType.unit,
    total_value: top.totalValue,
    sort_by: input.sort_by,
    function_count: tree.functions.names.length,
    functions: top.functions.map(shareOnWire),
  }
})
