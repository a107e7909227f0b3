import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getWorkspace } from '../targets.ts'
import { ssoOnWire } from './sso-on-wire.ts'

export const getSso = implement(operations.getSso)(async (input, context) => {
  return ssoOnWire(context, await getWorkspace(context, input.workspace_id))
})
