import { allows, newId, operations, Problem } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getWorkspace, requireRole } from '../targets.ts'
import { apiTokenOnWire } from '../wire.ts'

export const createApiToken = implement(operations.createApiToken)(async (input, context) => {
  const { caller, principal, deps } = context
  const workspace = await getWorkspace(context, input.workspace_id)
  const beyond = input.scopes.filter((scope) => !allows(principal.scopes, [scope]))
  if (beyond.length > 0) {
    throw new Problem(
      'insufficient_scope',
      `A token cannot allow more than its maker: you have no ${beyond.join(', ')}.`,
      {
        errors: [{ field: 'scopes', message: `Leave out ${beyond.join(', ')}.` }],
      },
    )
  }
  if (input.scopes.includes('admin')) requireRole(caller, workspace.id, 'admin')

  const { secret, hash } = deps.newSecret()
  const token = await deps.stores.apiTokens.create(caller, {
    id: newId('apiToken'),
    workspaceId: workspace.id,
    name: input.name,
    prefix: secret.slice(0, 8),
    scopes: input.scopes,
    expiresAt:
      input.expires_in_days === null ? null : new Date(Date.now() + input.expires_in_days * 86_400_000),
    tokenHash: hash,
  })
  context.concerns(workspace.id, token.id)
  return { workspace_id: workspace.id, api_token: apiTokenOnWire(token), secret }
})
