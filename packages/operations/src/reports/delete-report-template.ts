import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getTemplate } from './reaching.ts'

export const deleteReportTemplate = implement(operations.deleteReportTemplate)(async (input, context) => {
  const { id, projectId } = await getTemplate(context, input.template_id)
  await context.deps.stores.designs.remove(context.caller, id)
  return { template_id: id, project_id: projectId, deleted: true as const }
})
