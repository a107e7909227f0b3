import { operations, Problem } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getProfile } from '../targets.ts'
import { cannotFilter, mustBeReady, selectedSamples } from './decoded.ts'
import { functionNotFound } from './finding-functions.ts'

export const getFlamegraphColumns = implement(operations.getFlamegraphColumns)(async (input, context) => {
  const { caller, deps } = context
  const record = await getProfile(context, input.profile_id)
  mustBeReady(record)
  const selected = selectedSamples(record, input)
  const read = (part: 'tree' | 'detail') => deps.stores.profiles.readPart(caller, record.id, part)
  const [tree, detail] = await Promise.all([
    read('tree'),
    selected.filter === undefined ? undefined : read('detail'),
  ])
  if (tree === undefined) throw new Problem('profile_not_found', 'This profile was deleted just now.')
  const outcome = await deps.profileWriter.writeColumns({
    parts: { tree, ...(detail === undefined ? {} : { detail }) },
    rootFunctionName: input.root_function_name,
    inverted: input.inverted,
    originRules: record.source?.originRules,
    ...selected,
  })
  if ('refused' in outcome) {
    throw outcome.refused === 'cannot_filter'
      ? cannotFilter(input, outcome.reason)
      : functionNotFound(outcome.reason, outcome.nearestNames)
  }
  const { columns } = outcome
  return {
    profile_id: record.id,
    size_bytes: columns.length,
    columns: Buffer.from(columns.buffer, columns.byteOffset, columns.length).toString('base64'),
  }
})
