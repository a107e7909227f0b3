import { operations, Problem } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getWorkspace } from '../targets.ts'

export const transferWorkspace = implement(operations.transferWorkspace)(async (input, context) => {
  const { caller, deps, principal } = context
  const workspace = await getWorkspace(context, input.workspace_id)
  const members = await deps.stores.workspaces.listMembers(caller, workspace.id)
  const next = members.find(({ email }) => email === input.email)
  if (next === undefined || next.userId === principal.userId) {
    throw new Problem(
      'member_not_found',
      `${input.email} is ${next === undefined ? 'no member here' : 'you'}. Name another member.`,
      { hint: [operations.listWorkspaceMembers, 'shows who is'] },
    )
  }
  await deps.stores.workspaces.transfer(caller, workspace.id, next.userId)
  return { workspace_id: workspace.id, owner: next.email }
})
