import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getProject as getProjectTarget } from '../targets.ts'
import { projectOnWire } from '../wire.ts'

export const getProject = implement(operations.getProject)(async (input, context) => ({
  project: projectOnWire(await getProjectTarget(context, input.project_id)),
}))
