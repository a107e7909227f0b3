import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getWorkspace } from '../targets.ts'
import { isOnline } from './on-wire.ts'

export const getAgentDemand = implement(operations.getAgentDemand)(async (input, context) => {
  const { caller, deps } = context
  const { id } = await getWorkspace(context, input.workspace_id)
  const generators = await deps.stores.loadGenerators.list(caller, id)
  const { open, waiting } = await deps.stores.benchRuns.countShards(caller, id, input.agent_group)
  // Asked for every few seconds, all night.
  context.isUneventful()
  return {
    workspace_id: id,
    agent_group: input.agent_group,
    wanted: open,
    waiting,
    online: generators.filter((each) => each.agentGroup === input.agent_group && isOnline(each)).length,
  }
})
