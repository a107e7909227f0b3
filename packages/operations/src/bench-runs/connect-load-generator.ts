import { newId, operations, Problem } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getWorkspace } from '../targets.ts'

export const connectLoadGenerator = implement(operations.connectLoadGenerator)(async (input, context) => {
  const workspace = await getWorkspace(context, input.workspace_id)
  const generator = await context.deps.stores.loadGenerators.connect(context.caller, {
    id: newId('loadGenerator'),
    workspaceId: workspace.id,
    name: input.name,
    agentGroup: input.agent_group,
    version: input.version,
    cores: input.cores,
    facts: {
      memory_bytes: input.memory_bytes,
      engines: input.engines,
      browser_users_max: input.browser_users_max,
    },
  })
  if (generator === undefined) {
    throw new Problem(
      'conflict',
      'This workspace has as many load generators as it can have. Give this one the name of one that is gone, or wait a week until that is forgotten.',
      { errors: [{ field: 'name', message: 'One too many.' }] },
    )
  }
  return { workspace_id: workspace.id, load_generator_id: generator.id }
})
