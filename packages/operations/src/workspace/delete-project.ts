import { operations, Problem } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getProject } from '../targets.ts'

export const deleteProject = implement(operations.deleteProject)(async (input, context) => {
  const project = await getProject(context, input.project_id)
  if (input.confirm !== project.name) {
    throw new Problem(
      'confirmation_mismatch',
      `To delete this project for good, send its exact name as confirm: ${project.name}.`,
      {
        errors: [{ field: 'confirm', message: 'Not the name of the project.' }],
      },
    )
  }
  const removed = await context.deps.stores.projects.remove(context.caller, project.id)
  // The rows are gone and nothing points at the bytes any more; a byte that stays behind is swept later.
  await Promise.allSettled((removed?.storageKeys ?? []).map((key) => context.deps.storage.remove(key)))
  return {
    project_id: project.id,
    workspace_id: project.workspaceId,
    name: project.name,
    deleted: true as const,
  }
})
