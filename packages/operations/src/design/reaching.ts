import { operations, Problem } from '@flamegate/contract'
import type { CallContext } from '../implement.ts'
import type { DesignObject } from '../ports/index.ts'
import { reach } from '../targets.ts'

/** The kinds that are handled here; virtual users and scenarios have operations of their own. */
const smallKinds = ['http_server', 'variable', 'correlation_rule'] as const
export type SmallKind = (typeof smallKinds)[number]

const missing = {
  variable: ['variable_not_found', operations.listVariables],
  http_server: ['http_server_not_found', operations.listHttpServers],
  correlation_rule: ['correlation_rule_not_found', operations.listCorrelationRules],
} as const satisfies Record<SmallKind, unknown>

/** One of a kind, among those that the caller may read. */
export async function getDesign(context: CallContext, kind: SmallKind, id: string): Promise<DesignObject> {
  const object = await context.deps.stores.designs.find(context.caller, id)
  if (object?.kind !== kind) {
    const [code, listing] = missing[kind]
    throw new Problem(code, `No such ${kind.replace('_', ' ')} in your workspaces.`, {
      hint: [listing, 'shows those of a project'],
    })
  }
  await reach(context, object.workspaceId, object.id)
  return object
}

/** The same of any of these kinds; also what was deleted, when asked for. */
export async function getAnyDesign(
  context: CallContext,
  id: string,
  options?: { evenDeleted: boolean },
): Promise<DesignObject & { kind: SmallKind }> {
  const object = await context.deps.stores.designs.find(context.caller, id, options)
  if (object === undefined) {
    throw new Problem(
      'document_not_found',
      'No such variable, HTTP server or correlation rule in your workspaces.',
    )
  }
  const kind = smallKinds.find((each) => each === object.kind)
  if (kind === undefined) {
    throw new Problem('document_not_found', 'Documents of this kind have operations of their own.')
  }
  await reach(context, object.workspaceId, object.id)
  return { ...object, kind }
}
