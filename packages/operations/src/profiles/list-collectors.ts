import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getProject } from '../targets.ts'
import { collectorOnWire } from './collectors.ts'

export const listCollectors = implement(operations.listCollectors)(async (input, context) => {
  const project = await getProject(context, input.project_id)
  const collectors = await context.deps.stores.collectors.list(context.caller, project.id)
  return { project_id: project.id, collectors: collectors.map(collectorOnWire) }
})
