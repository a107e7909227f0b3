import { operations, Problem } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { reach } from '../targets.ts'

export const deleteTarget = implement(operations.deleteTarget)(async (input, context) => {
  const target = await context.deps.stores.targets.find(context.caller, input.target_id)
  if (target === undefined) {
    throw new Problem('target_not_found', 'No such target in your workspaces.', {
      hint: [operations.listTargets, 'shows those of a project'],
    })
  }
  await reach(context, target.workspaceId, target.id)
  await context.deps.stores.targets.remove(context.caller, target.id)
  return { target_id: target.id, project_id: target.projectId, deleted: true as const }
})
