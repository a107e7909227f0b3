import { operations, Problem } from '@flamegate/contract'
import { parseDocument, type VirtualUser } from '@flamegate/loadtest'
import type { CallContext } from '../implement.ts'
import type { DesignObject } from '../ports/index.ts'

/** A virtual user as it was in a version. @throws Problem `document_not_found` */
export async function versionOf(
  { caller, deps }: CallContext,
  object: DesignObject,
  version: number,
): Promise<VirtualUser> {
  if (version === object.version) return parseDocument('virtual_user', object.document)
  const found = await deps.stores.designs.findVersion(caller, object.id, version)
  if (found === undefined) {
    throw new Problem('document_not_found', `${object.name} has no version ${version}.`, {
      hint: [operations.listVirtualUserVersions, 'shows the ones there are'],
    })
  }
  return parseDocument('virtual_user', found.document)
}
