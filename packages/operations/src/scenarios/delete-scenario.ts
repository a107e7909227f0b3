import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getScenario } from './reaching.ts'

export const deleteScenario = implement(operations.deleteScenario)(async (input, context) => {
  const { id, projectId } = await getScenario(context, input.scenario_id)
  await context.deps.stores.designs.remove(context.caller, id)
  return { scenario_id: id, project_id: projectId, deleted: true as const }
})
