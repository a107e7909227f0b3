import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getWorkspace } from '../targets.ts'

export const listWorkspaceMembers = implement(operations.listWorkspaceMembers)(async (input, context) => {
  const workspace = await getWorkspace(context, input.workspace_id)
  const { workspaces } = context.deps.stores
  const [members, invitations] = await Promise.all([
    workspaces.listMembers(context.caller, workspace.id),
    workspaces.listInvitations(context.caller, workspace.id),
  ])
  return {
    workspace_id: workspace.id,
    members: [
      ...members.map((member) => ({
        email: member.email,
        name: member.name,
        role: member.role,
        status: 'active' as const,
        since: member.joinedAt.toISOString(),
      })),
      ...invitations.map((invitation) => ({
        email: invitation.email,
        name: null,
        role: invitation.role,
        status: 'invited' as const,
        since: invitation.createdAt.toISOString(),
      })),
    ],
  }
})
