import { operations, type Operation } from '@flamegate/contract'

/** One of OctoPerf's tool names, with the operation here that does the same. */
export interface Alias {
  name: string
  operation: Operation
  /** Arguments that are part of the name: `remove_…` always has the role none. */
  fixed?: Readonly<Record<string, unknown>>
  /** Their name of a field, and ours. */
  renamed?: Readonly<Record<string, string>>
}

/**
 * OctoPerf's split names, so that skills written for it go on working; see its own list at
 * https://api.octoperf.com/mcp/public/AGENTS.md. A name is here once there is an operation behind it.
 */
export const aliases: readonly Alias[] = [
  { name: 'add_workspace_member', operation: operations.setWorkspaceMember },
  { name: 'download_project_file', operation: operations.downloadFile },
  { name: 'list_project_files', operation: operations.listFiles, renamed: { project_id: 'owner' } },
  { name: 'list_projects_by_workspace', operation: operations.listProjects },
  { name: 'read_project_file_lines', operation: operations.readFileLines },
  {
    name: 'remove_workspace_member',
    operation: operations.setWorkspaceMember,
    fixed: { role: 'none' },
  },
  { name: 'set_workspace_member_role', operation: operations.setWorkspaceMember },
]

/** Names that OctoPerf and we have both. */
export const sharedNames: ReadonlySet<string> = new Set(
  [
    operations.createProject,
    operations.deleteProject,
    operations.getCurrentUser,
    operations.getTaskResult,
    operations.listWorkspaceMembers,
    operations.listWorkspaces,
    operations.updateProject,
  ].map((operation) => operation.id),
)
