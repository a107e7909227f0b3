import { operations, type Role, roleAtLeast } from '@flamegate/contract'
import { useAnswer } from '../api.ts'
import { useMe, type Workspace } from './workspace.ts'

/** The workspace of a project, whichever is chosen; undefined until it is known, and for who is not in it. */
export function useWorkspaceOfProject(projectId: string | undefined): Workspace | undefined {
  const { workspaces } = useMe()
  const project = useAnswer(
    operations.getProject,
    { project_id: projectId ?? '' },
    { enabled: projectId !== undefined },
  ).data?.project
  return workspaces.find(({ id }) => id === project?.workspace_id)
}

/** Whether this person may do in a project what takes that role; false until it is known. */
export function useMayInProject(projectId: string | undefined, least: Role): boolean {
  const role = useWorkspaceOfProject(projectId)?.role
  return role !== undefined && roleAtLeast(role, least)
}
