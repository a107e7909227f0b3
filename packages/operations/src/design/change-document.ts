import type { CallContext } from '../implement.ts'
import type { DesignObject, DesignUpdate } from '../ports/index.ts'
import { patchWords } from './patch-document.ts'
import { writeDesign } from './write-design.ts'

/** Changes of a version that are told to who made them. */
const changesTold = 50

interface Asked {
  patch: readonly Record<string, unknown>[]
  restore_version?: number | undefined
  label?: string | undefined
  dry_run: boolean
  if_version?: number | undefined
}

/**
 * Writes a document that was changed as the next version, and tells what is other in it; with `dry_run` it only tells.
 * @throws Problem as `writeDesign`
 */
export async function changeDocument<Change>(
  context: CallContext,
  before: DesignObject,
  update: DesignUpdate,
  changes: readonly Change[],
  { patch, restore_version: restored, label, dry_run: isDryRun, if_version: ifVersion }: Asked,
) {
  const after = isDryRun
    ? { ...before, ...update }
    : await writeDesign(context, before, update, { ifVersion, words: patchWords(patch, restored), label })
  return {
    after,
    told: { changes: changes.slice(0, changesTold), change_count: changes.length, dry_run: isDryRun },
  }
}
