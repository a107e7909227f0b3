import { listProjects } from '@flamegate/contract/workspace/list-projects'
import { listWorkspaces } from '@flamegate/contract/workspace/list-workspaces'
import { UsageError } from '../usage-error.ts'
import type { CommandContext } from './command.ts'
import { operationCommand } from './operation-command.ts'

export const projects = operationCommand({ operation: listProjects, complete: withOnlyWorkspace })

/** The workspace of the token; an API token has exactly one. */
async function withOnlyWorkspace(
  input: Record<string, unknown>,
  context: CommandContext,
): Promise<Record<string, unknown>> {
  if ('workspace_id' in input) return input
  const { workspaces } = await context.client().call(listWorkspaces, {})
  const [first, ...others] = workspaces
  if (first !== undefined && others.length === 0) return { ...input, workspace_id: first.id }
  throw new UsageError(
    first === undefined
      ? 'You are in no workspace.'
      : `Choose a workspace with --workspace-id: ${workspaces.map((each) => `${each.id} (${each.name})`).join(', ')}.`,
  )
}
