import { operations, Problem } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getProject } from '../targets.ts'
import { projectOnWire } from '../wire.ts'

export const updateProject = implement(operations.updateProject)(async (input, context) => {
  const { projects } = context.deps.stores
  const before = await getProject(context, input.project_id)
  const { project_id: _id, if_version: ifVersion, ...change } = input
  const after = await projects.update(context.caller, before.id, change, ifVersion)
  if (after === undefined) {
    throw new Problem(
      'version_mismatch',
      `The project has version ${before.version} by now. Read it again, then repeat your change.`,
    )
  }
  return { project: projectOnWire({ ...before, ...after }) }
})
