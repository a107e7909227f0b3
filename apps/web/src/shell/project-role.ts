import { operations, type Role, roleAtLeast } from '@flamegate/contract'
import { useAnswer } from '../api.ts'
import { useMe } from './workspace.ts'

/** Whether this person may do in a project what takes that role; false until it is known. */
export function useMayInProject(projectId: string | undefined, least: Role): boolean {
  const { workspaces } = useMe()
  const project = useAnswer(
    operations.getProject,
    { project_id: projectId ?? '' },
    { enabled: projectId !== undefined },
  ).data?.project
  const role = workspaces.find(({ id }) => id === project?.workspace_id)?.role
  return role !== undefined && roleAtLeast(role, least)
}
