import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { mcpTargetOnWire } from './on-wire.ts'
import { getMcpTarget as reachMcpTarget } from './reaching.ts'

export const getMcpTarget = implement(operations.getMcpTarget)(async (input, context) => {
  const target = await reachMcpTarget(context, input.mcp_target_id)
  const collectors = await context.deps.stores.collectors.list(context.caller, target.projectId)
  return { mcp_target: mcpTargetOnWire(target, collectors) }
})
