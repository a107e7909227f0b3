import { operations, Problem } from '@flamegate/contract'
import { parseDocument } from '@flamegate/loadtest'
import { implement, type CallContext } from '../implement.ts'
import type { DesignObject } from '../ports/index.ts'
import { designOnWire } from './on-wire.ts'
import { getAnyDesign } from './reaching.ts'

export const getDesignObject = implement(operations.getDesignObject)(async (input, context) => {
  const object = await getAnyDesign(context, input.object_id, { evenDeleted: true })
  const version = input.version ?? object.version
  const document = version === object.version ? object.document : await documentOf(context, object, version)
  return { object: designOnWire({ ...object, version }, parseDocument(object.kind, document)) }
})

/** The document in an earlier version. @throws Problem `document_not_found` */
export async function documentOf(
  { caller, deps }: CallContext,
  object: DesignObject,
  version: number,
): Promise<Record<string, unknown>> {
  const found = await deps.stores.designs.findVersion(caller, object.id, version)
  if (found === undefined) {
    throw new Problem('document_not_found', `${object.name} never had version ${version}.`, {
      hint: [operations.listDesignObjectVersions, 'shows the ones there are'],
    })
  }
  return found.document
}
