import { newId, operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { mcpBounds } from '../limits/mcp-limits.ts'
import { getProject } from '../targets.ts'
import { mcpTargetOnWire } from './on-wire.ts'
import { getMcpTarget } from './reaching.ts'
import { tooManyTargets } from './refused.ts'
import { requireSafeAddress, transportOf } from './target-address.ts'

export const registerMcpTarget = implement(operations.registerMcpTarget)(async (input, context) => {
  const { caller, deps } = context
  const project = await getProject(context, input.project_id)
  const address = input.address ?? null
  const transport = input.transport ?? transportOf(address)
  requireSafeAddress(address, transport)
  const bounds = await mcpBounds(deps, project.workspaceId)
  const added = await deps.stores.mcp.addTarget(
    caller,
    {
      id: newId('mcpTarget'),
      workspaceId: project.workspaceId,
      projectId: project.id,
      name: input.name,
      address,
      transport,
      operations: input.operations,
      arguments: input.arguments,
      note: '',
    },
    bounds,
  )
  if (added === undefined) throw tooManyTargets(bounds)
  const [target, collectors] = await Promise.all([
    getMcpTarget(context, added.id),
    deps.stores.collectors.list(caller, project.id),
  ])
  return { mcp_target: mcpTargetOnWire(target, collectors) }
})
