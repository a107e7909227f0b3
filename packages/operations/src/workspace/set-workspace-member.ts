import { newId, operations, Problem } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getWorkspace, requireRole } from '../targets.ts'
import { keepingAnOwner } from './keeping-an-owner.ts'

const invitationDays = 14

export const setWorkspaceMember = implement(operations.setWorkspaceMember)(async (input, context) => {
  const { caller, deps } = context
  const { workspaces } = deps.stores
  const workspace = await getWorkspace(context, input.workspace_id)
  const member = (await workspaces.listMembers(caller, workspace.id)).find(
    (each) => each.email === input.email,
  )
  // Ownership is given and taken by owners alone.
  if (input.role === 'owner' || member?.role === 'owner') requireRole(caller, workspace.id, 'owner')

  const answer = { workspace_id: workspace.id, email: input.email, role: input.role, invitation_url: null }
  if (input.role === 'none') {
    const wasThere =
      member === undefined
        ? await workspaces.removeInvitation(caller, workspace.id, input.email)
        : await keepingAnOwner(() => workspaces.removeMember(caller, workspace.id, member.userId))
    if (!wasThere) {
      throw new Problem('member_not_found', `${input.email} is neither a member nor invited.`, {
        hint: [operations.listWorkspaceMembers, 'shows who is'],
      })
    }
    return { ...answer, status: 'removed' }
  }
  const { role } = input
  if (member !== undefined) {
    await keepingAnOwner(() => workspaces.setRole(caller, workspace.id, member.userId, role))
    return { ...answer, status: 'active' }
  }
  const { secret, hash } = deps.newSecret()
  await workspaces.invite(caller, workspace.id, {
    id: newId('invitation'),
    email: input.email,
    role,
    tokenHash: hash,
    expiresAt: new Date(Date.now() + invitationDays * 86_400_000),
  })
  return { ...answer, status: 'invited', invitation_url: `${deps.publicUrl}/join?token=${secret}` }
})
