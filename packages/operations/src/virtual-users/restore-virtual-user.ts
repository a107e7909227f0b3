import { operations, Problem } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { virtualUserOnWire } from './on-wire.ts'
import { getVirtualUser } from './reaching.ts'

export const restoreVirtualUser = implement(operations.restoreVirtualUser)(async (input, context) => {
  const { id } = await getVirtualUser(context, input.virtual_user_id, { evenDeleted: true })
  const restored = await context.deps.stores.designs.restore(context.caller, id)
  if (restored === undefined) throw new Problem('virtual_user_not_found', 'It is gone with its project.')
  return { virtual_user: virtualUserOnWire(restored) }
})
