import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getProject } from '../targets.ts'
import { monitorAgentOnWire, monitorOnWire } from './on-wire.ts'

export const listMonitors = implement(operations.listMonitors)(async (input, context) => {
  const { caller, deps } = context
  const project = await getProject(context, input.project_id)
  const monitors = await deps.stores.designs.listDocuments(caller, project.id, 'monitor')
  const states = await deps.stores.monitors.listStates(caller, project.id)
  const byId = new Map(states.map((state) => [state.monitorId, state]))
  const agents = await deps.stores.monitors.listAgents(caller, project.workspaceId)
  return {
    project_id: project.id,
    workspace_id: project.workspaceId,
    monitors: monitors.map((monitor) => monitorOnWire(monitor, byId.get(monitor.id))),
    agents: agents.map(monitorAgentOnWire),
  }
})
