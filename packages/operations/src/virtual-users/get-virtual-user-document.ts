import { operations } from '@flamegate/contract'
import { documentAt } from '../design/versions.ts'
import { implement } from '../implement.ts'
import { virtualUserOnWire } from './on-wire.ts'
import { getVirtualUser } from './reaching.ts'

export const getVirtualUserDocument = implement(operations.getVirtualUserDocument)(async (input, context) => {
  const object = await getVirtualUser(context, input.virtual_user_id)
  const version = input.version ?? object.version
  const document = await documentAt(context, 'virtual_user', object, version)
  return { virtual_user: virtualUserOnWire(object), version, document: { ...document } }
})
