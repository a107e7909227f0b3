import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getProject } from '../targets.ts'
import { mcpTargetOnWire } from './on-wire.ts'

export const listMcpTargets = implement(operations.listMcpTargets)(async (input, context) => {
  const { caller, deps } = context
  const project = await getProject(context, input.project_id)
  const [targets, collectors] = await Promise.all([
    deps.stores.mcp.listTargets(caller, project.id),
    deps.stores.collectors.list(caller, project.id),
  ])
  return {
    project_id: project.id,
    mcp_targets: targets.map((target) => mcpTargetOnWire(target, collectors)),
  }
})
