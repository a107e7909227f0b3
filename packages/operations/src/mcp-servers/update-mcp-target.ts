import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { mcpTargetOnWire } from './on-wire.ts'
import { getMcpTarget } from './reaching.ts'
import { requireSafeAddress } from './target-address.ts'

export const updateMcpTarget = implement(operations.updateMcpTarget)(async (input, context) => {
  const { caller, deps } = context
  const { mcp_target_id: id, ...change } = input
  const before = await getMcpTarget(context, id)
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
  const { address, transport } = { ...before, ...given }
  requireSafeAddress(address, transport)
  await deps.stores.mcp.updateTarget(caller, before.id, given)
  const [target, collectors] = await Promise.all([
    getMcpTarget(context, before.id),
    deps.stores.collectors.list(caller, before.projectId),
  ])
  return { mcp_target: mcpTargetOnWire(target, collectors) }
})
