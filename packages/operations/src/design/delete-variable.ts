import { operations } from '@flamegate/contract'
import { parseDocument } from '@flamegate/loadtest'
import { implement } from '../implement.ts'
import { getDesign } from './reaching.ts'
import { requireUnused, usersOfVariables } from './usage.ts'

export const deleteVariable = implement(operations.deleteVariable)(async (input, context) => {
  const object = await getDesign(context, 'variable', input.variable_id)
  const document = parseDocument('variable', object.document)
  const usage = await usersOfVariables(context, object.projectId, [{ id: object.id, document }])
  requireUnused(object.name, usage.get(object.id))
  await context.deps.stores.designs.remove(context.caller, object.id)
  return { variable_id: object.id, project_id: object.projectId, deleted: true as const }
})
