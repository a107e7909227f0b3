import { operations } from '@flamegate/contract'
import { pageOf } from '../cursor.ts'
import { implement } from '../implement.ts'

export const listRepositories = implement(operations.listRepositories)(async (input, { caller, deps }) => {
  const { rows, nextCursor } = await pageOf('repositories', input, {}, (page) =>
    deps.stores.projects.listOfAllWorkspaces(caller, page),
  )
  return {
    repositories: rows.map((project) => ({
      repository: project.repository,
      project_id: project.id,
      workspace_id: project.workspaceId,
      name: project.name,
      visibility: 'private' as const,
      description: project.description,
      run_count: project.runCount,
    })),
    next_cursor: nextCursor,
  }
})
