import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getWorkspace } from '../targets.ts'
import { scimOnWire } from './scim-on-wire.ts'

export const getScim = implement(operations.getScim)(async (input, context) => {
  const { id } = await getWorkspace(context, input.workspace_id)
  return scimOnWire(context, id)
})
