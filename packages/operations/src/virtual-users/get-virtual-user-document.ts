import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { virtualUserOnWire } from './on-wire.ts'
import { getVirtualUser } from './reaching.ts'
import { versionOf } from './version-of.ts'

export const getVirtualUserDocument = implement(operations.getVirtualUserDocument)(async (input, context) => {
  const object = await getVirtualUser(context, input.virtual_user_id)
  const version = input.version ?? object.version
  const document = await versionOf(context, object, version)
  return { virtual_user: virtualUserOnWire(object), version, document: { ...document } }
})
