import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getDesign } from './reaching.ts'

export const deleteCorrelationRule = implement(operations.deleteCorrelationRule)(async (input, context) => {
  const object = await getDesign(context, 'correlation_rule', input.correlation_rule_id)
  await context.deps.stores.designs.remove(context.caller, object.id)
  return { correlation_rule_id: object.id, project_id: object.projectId, deleted: true as const }
})
