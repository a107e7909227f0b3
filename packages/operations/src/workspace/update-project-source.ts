import { operations, Problem } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getProjectWithCounts } from '../targets.ts'
import { projectOnWire } from '../wire.ts'

export const updateProjectSource = implement(operations.updateProjectSource)(async (input, context) => {
  const before = await getProjectWithCounts(context, input.project_id)
  const { origin_rules: originRules, forge, forge_url: forgeUrl } = input
  const after = await context.deps.stores.projects.update(
    context.caller,
    before.id,
    { originRules, forge, forgeUrl: forgeUrl?.replace(/\/+$/, '') ?? forgeUrl },
    input.if_version,
  )
  if (after === undefined) {
    throw new Problem(
      'version_mismatch',
      `The project has version ${before.version} by now. Read it again, then repeat your change.`,
    )
  }
  return { project: projectOnWire({ ...before, ...after }) }
})
