import { operations } from '@flamegate/contract'
import { pageOf } from '../cursor.ts'
import { implement } from '../implement.ts'
import { validationOnWire } from './on-wire.ts'
import { readVirtualUser } from './reaching.ts'

export const listValidations = implement(operations.listValidations)(async (input, context) => {
  const { object } = await readVirtualUser(context, input.virtual_user_id)
  const { rows, nextCursor } = await pageOf('validations', input, { virtualUser: object.id }, (page) =>
    context.deps.stores.validations.list(context.caller, object.id, page),
  )
  return { virtual_user_id: object.id, validations: rows.map(validationOnWire), next_cursor: nextCursor }
})
