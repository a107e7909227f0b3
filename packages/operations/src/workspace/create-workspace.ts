import { newId, operations, Problem } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { slugOf } from './slug-of.ts'
import { workspaceOnWire } from './workspace-on-wire.ts'

/** Each has limits of its own: with any number of them there would be none. */
const ownedMax = 20

export const createWorkspace = implement(operations.createWorkspace)(async (input, context) => {
  const { caller, principal, deps } = context
  if (principal.workspaceIds !== undefined) {
    throw new Problem('insufficient_role', 'This credential is for other workspaces, and makes none.')
  }
  const owned = [...caller.roles.values()].filter((role) => role === 'owner').length
  if (owned >= ownedMax) {
    throw new Problem('insufficient_role', `You own ${owned} workspaces. Nobody owns more than ${ownedMax}.`)
  }
  const id = newId('workspace')
  const words = slugOf(input.name).slice(0, 30).replace(/-$/, '')
  const workspace = await deps.stores.workspaces.create(caller, {
    id,
    // The end of an id is random, and ids are of the letters of slugs.
    slug: `${words || 'team'}-${id.slice(-8)}`,
    name: input.name,
  })
  context.concerns(id, id)
  return { workspace: workspaceOnWire({ ...workspace, role: 'owner' }) }
})
