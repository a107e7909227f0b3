import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getWorkspace } from '../targets.ts'
import { workspaceOnWire } from './workspace-on-wire.ts'

export const updateWorkspace = implement(operations.updateWorkspace)(async (input, context) => {
  const { role, ...workspace } = await getWorkspace(context, input.workspace_id)
  const { name = workspace.name, slug = workspace.slug } = input
  await context.deps.stores.workspaces.rename(context.caller, workspace.id, { name, slug })
  return { workspace: workspaceOnWire({ ...workspace, name, slug, role }) }
})
