import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getMcpTarget } from './reaching.ts'

export const deleteMcpTarget = implement(operations.deleteMcpTarget)(async (input, context) => {
  const target = await getMcpTarget(context, input.mcp_target_id)
  await context.deps.stores.mcp.removeTarget(context.caller, target.id)
  return { mcp_target_id: target.id, project_id: target.projectId, deleted: true as const }
})
