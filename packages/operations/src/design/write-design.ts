import { Problem } from '@flamegate/contract'
import type { CallContext } from '../implement.ts'
import type { DesignObject, DesignUpdate } from '../ports/index.ts'

/** Versions that a caller is told of who did not see them. */
const versionsTold = 5

/**
 * Writes the next version of an object, which nobody may have changed since `ifVersion`, or since it was read.
 * @throws Problem `version_mismatch` that tells what was changed, `document_not_found`
 */
export async function writeDesign(
  context: CallContext,
  before: DesignObject,
  update: DesignUpdate,
  { ifVersion, words, label }: { ifVersion?: number | undefined; words: string; label?: string | undefined },
): Promise<DesignObject> {
  const { caller, deps } = context
  const expected = ifVersion ?? before.version
  const written = await deps.stores.designs.change(caller, before.id, update, expected, { words, label })
  if (written === undefined) throw new Problem('document_not_found', `${before.name} was deleted just now.`)
  if (written.state === 'changed') return written.object
  const versions = await deps.stores.designs.listVersions(caller, before.id, { limit: versionsTold })
  const unseen = versions
    .slice(0, versionsTold)
    .filter(({ version }) => version > expected)
    .map(({ version, change }) => `${version}: ${change}`)
  throw new Problem(
    'version_mismatch',
    `${before.name} has version ${written.object.version} by now (${unseen.join('; ') || 'it never had a later one'}). Read it again, then repeat your change.`,
  )
}
