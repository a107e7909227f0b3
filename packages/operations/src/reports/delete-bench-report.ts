import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getReport } from './reaching.ts'

export const deleteBenchReport = implement(operations.deleteBenchReport)(async (input, context) => {
  const { id, projectId } = await getReport(context, input.bench_report_id)
  await context.deps.stores.designs.remove(context.caller, id)
  return { bench_report_id: id, project_id: projectId, deleted: true as const }
})
