import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getProjectWithCounts } from '../targets.ts'
import { projectOnWire } from '../wire.ts'

export const getProject = implement(operations.getProject)(async (input, context) => ({
  project: projectOnWire(await getProjectWithCounts(context, input.project_id)),
}))
