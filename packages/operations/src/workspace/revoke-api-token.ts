import { operations, Problem } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { reach } from '../targets.ts'

export const revokeApiToken = implement(operations.revokeApiToken)(async (input, context) => {
  const { caller, deps } = context
  const token = await deps.stores.apiTokens.find(caller, input.api_token_id)
  if (token === undefined) {
    throw new Problem('token_not_found', 'You see no such API token.', {
      hint: [operations.listApiTokens, 'shows the ones there are'],
    })
  }
  await reach(context, token.workspaceId, token.id)
  await deps.stores.apiTokens.revoke(caller, token.id)
  return { api_token_id: token.id, workspace_id: token.workspaceId, revoked: true as const }
})
