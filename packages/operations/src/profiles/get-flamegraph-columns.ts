import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getProfile } from '../targets.ts'
import { ask } from './asking.ts'
import { findingFunctions } from './finding-functions.ts'

export const getFlamegraphColumns = implement(operations.getFlamegraphColumns)(async (input, context) => {
  const record = await getProfile(context, input.profile_id)
  const columns = await findingFunctions(
    ask(context, record, input, 'flameColumns', {
      rootFunctionName: input.root_function_name,
      inverted: input.inverted,
    }),
  )
  return {
    profile_id: record.id,
    size_bytes: columns.length,
    columns: Buffer.from(columns.buffer, columns.byteOffset, columns.length).toString('base64'),
  }
})
