import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getWorkspace } from '../targets.ts'
import { apiTokenOnWire } from '../wire.ts'

export const listApiTokens = implement(operations.listApiTokens)(async (input, context) => {
  const workspace = await getWorkspace(context, input.workspace_id)
  const tokens = await context.deps.stores.apiTokens.list(context.caller, workspace.id)
  return { workspace_id: workspace.id, api_tokens: tokens.map(apiTokenOnWire) }
})
