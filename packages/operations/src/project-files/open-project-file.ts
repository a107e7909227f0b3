import { uploadLimits, type Caller } from '@flamegate/contract'
import type { Deps } from '../implement.ts'

/** Gives the bytes of project files by their paths; undefined where a path means nothing. */
export function openProjectFile(
  { caller, deps }: { caller: Caller; deps: Pick<Deps, 'stores' | 'storage'> },
  projectId: string,
): (path: string) => Promise<Uint8Array | undefined> {
  return async (path) => {
    const file = await deps.stores.projectFiles.find(caller, projectId, path)
    if (file === undefined) return undefined
    return deps.storage.read(file.storageKey, { maxBytes: uploadLimits.projectFileBytes })
  }
}
