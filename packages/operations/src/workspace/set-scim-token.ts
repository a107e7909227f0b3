import { newId, operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getWorkspace } from '../targets.ts'
import { scimOnWire } from './scim-on-wire.ts'

export const setScimToken = implement(operations.setScimToken)(async (input, context) => {
  const { caller, deps } = context
  const workspace = await getWorkspace(context, input.workspace_id)
  const { secret, hash } = deps.newSecret()
  const id = newId('scimToken')
  await deps.stores.scim.setToken(caller, {
    id,
    workspaceId: workspace.id,
    prefix: secret.slice(0, 8),
    defaultRole: input.default_role,
    tokenHash: hash,
  })
  context.concerns(workspace.id, id)
  return { ...(await scimOnWire(context, workspace.id)), secret }
})
