import { operations, Problem } from '@flamegate/contract'
import {
  PatternError,
  sampleTypeOf,
  selfValuesOf,
  topFunctions,
  type FunctionRow,
  type TopFunctionsOptions,
} from '@flamegate/profiles'
import type { Profile as DecodedProfile } from '@flamegate/profiles'
import { implement } from '../implement.ts'
import { openProfile, sampleTypeIndex } from './decoded.ts'
import { shareOnWire } from './shares-on-wire.ts'

export const analyzeProfile = implement(operations.analyzeProfile)(async (input, context) => {
  const { record, tree } = await openProfile(context, input.profile_id)
  const index = sampleTypeIndex(tree, input.sample_type)
  const sampleType = sampleTypeOf(tree, index)
  const rows = matchingFunctions(tree, {
    sampleTypeIndex: index,
    by: input.sort_by,
    limit: input.top_n,
    focus: input.focus,
    ignore: input.ignore,
  })
  return {
    profile_id: record.id,
    sample_type: sampleType.type,
    unit: sampleType.unit,
    total_value: selfValuesOf(tree, index).reduce((sum, value) => sum + value, 0),
    sort_by: input.sort_by,
    function_count: tree.functions.names.length,
    functions: rows.map(shareOnWire),
  }
})

function matchingFunctions(tree: DecodedProfile, options: TopFunctionsOptions): FunctionRow[] {
  try {
    return topFunctions(tree, options)
  } catch (error) {
    if (!(error instanceof PatternError)) throw error
    const given = (['focus', 'ignore'] as const).filter((field) => options[field] !== undefined)
    throw new Problem('invalid_input', `A pattern cannot be read: ${error.message}.`, {
      cause: error,
      errors: given.map((field) => ({ field, message: error.message })),
    })
  }
}
