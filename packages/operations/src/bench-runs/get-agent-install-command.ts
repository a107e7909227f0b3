import { newId, operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getWorkspace } from '../targets.ts'

const commands = { load: 'agent', monitors: 'monitor' } as const

export const getAgentInstallCommand = implement(operations.getAgentInstallCommand)(async (input, context) => {
  const { caller, deps } = context
  const workspace = await getWorkspace(context, input.workspace_id)
  const { secret, hash } = deps.newSecret()
  const expiresAt = new Date(Date.now() + input.expires_in_days * 86_400_000)
  const token = await deps.stores.apiTokens.create(caller, {
    id: newId('apiToken'),
    workspaceId: workspace.id,
    name: `Agents of ${input.agent_group}, ${new Date().toISOString().slice(0, 16)}`,
    prefix: secret.slice(0, 8),
    scopes: ['agent'],
    expiresAt,
    tokenHash: hash,
  })
  context.concerns(workspace.id, token.id)
  return {
    workspace_id: workspace.id,
    api_token_id: token.id,
    token: secret,
    command: `FLAMEGATE_URL=${deps.publicUrl} FLAMEGATE_TOKEN=${secret} flamegate ${commands[input.work]} --group ${input.agent_group} --workspace ${workspace.id}`,
    expires_at: expiresAt.toISOString(),
  }
})
