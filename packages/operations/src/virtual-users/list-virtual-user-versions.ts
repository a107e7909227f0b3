import { operations } from '@flamegate/contract'
import { compareDocuments } from '@flamegate/loadtest'
import { listVersions } from '../design/versions.ts'
import { implement } from '../implement.ts'
import { changeOnWire } from './on-wire.ts'
import { getVirtualUser } from './reaching.ts'

export const listVirtualUserVersions = implement(operations.listVirtualUserVersions)(async (
  input,
  context,
) => {
  const object = await getVirtualUser(context, input.virtual_user_id)
  const listed = await listVersions(context, 'virtual_user', object, input, compareDocuments)
  return { virtual_user_id: object.id, ...listed, changes: listed.changes?.map(changeOnWire) ?? null }
})
