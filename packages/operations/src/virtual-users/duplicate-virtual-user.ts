import { operations } from '@flamegate/contract'
import { parseDocument } from '@flamegate/loadtest'
import { implement } from '../implement.ts'
import { addVirtualUser } from './add-virtual-user.ts'
import { freeName } from '../design/free-name.ts'
import { virtualUserOnWire } from './on-wire.ts'
import { getVirtualUser } from './reaching.ts'

export const duplicateVirtualUser = implement(operations.duplicateVirtualUser)(async (input, context) => {
  const { caller, deps } = context
  const original = await getVirtualUser(context, input.virtual_user_id)
  const taken = await deps.stores.designs.listNames(caller, original.projectId, 'virtual_user')
  const document = parseDocument('virtual_user', original.document)
  document.name = input.name ?? freeName(original.name, taken)
  const object = await addVirtualUser(context, original, document, `Duplicate of ${original.id}`)
  return { virtual_user: virtualUserOnWire(object) }
})
