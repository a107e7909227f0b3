import { newId, operations, Problem } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getWorkspace } from '../targets.ts'
import { projectOnWire } from '../wire.ts'
import { slugOf } from './slug-of.ts'

export const createProject = implement(operations.createProject)(async (input, context) => {
  if (context.principal.projectId !== undefined) {
    throw new Problem(
      'connection_limited',
      'This address is about one project. Create others at another address.',
    )
  }
  const workspace = await getWorkspace(context, input.workspace_id)
  const id = newId('project')
  const project = await context.deps.stores.projects.create(context.caller, {
    id,
    workspaceId: workspace.id,
    slug: slugOf(input.name) || id.replace('_', '-'),
    name: input.name,
    description: input.description,
    tags: input.tags,
    repository: input.repository ?? null,
  })
  context.concerns(workspace.id, project.id)
  return { project: projectOnWire(project) }
})
