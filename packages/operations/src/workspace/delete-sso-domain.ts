import { operations, Problem } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getWorkspace } from '../targets.ts'

export const deleteSsoDomain = implement(operations.deleteSsoDomain)(async (input, context) => {
  const { id } = await getWorkspace(context, input.workspace_id)
  if (!(await context.deps.stores.sso.removeDomain(context.caller, id, input.domain))) {
    throw new Problem('sso_domain_not_found', `${input.domain} is not among the domains of this workspace.`)
  }
  return { workspace_id: id, domain: input.domain, deleted: true as const }
})
