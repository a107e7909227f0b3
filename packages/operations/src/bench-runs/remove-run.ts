import type { Deps, Reading } from '../implement.ts'

/** Removes a run that has ended, with all that was measured and its files; false when there is none. */
export async function removeRun(
  { caller, deps }: Reading & { deps: Pick<Deps, 'storage'> },
  benchResultId: string,
): Promise<boolean> {
  const { benchRuns, resultFiles, files } = deps.stores
  const all = await resultFiles.list(caller, benchResultId)
  if (!(await benchRuns.remove(caller, benchResultId))) return false
  // What stays behind where this ends early has no run, and is swept.
  for (const { id, storageKey } of all) {
    // oxlint-disable no-await-in-loop -- one after the other
    await deps.storage.remove(storageKey)
    await files.remove(caller, id)
    // oxlint-enable no-await-in-loop
  }
  return true
}
