import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getProject } from '../targets.ts'
import { targetOnWire } from './on-wire.ts'

export const listTargets = implement(operations.listTargets)(async (input, context) => {
  const project = await getProject(context, input.project_id)
  const targets = await context.deps.stores.targets.list(context.caller, project.id)
  return { project_id: project.id, targets: targets.map(targetOnWire) }
})
