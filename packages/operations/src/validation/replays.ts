import type { Caller } from '@flamegate/contract'
import type { Deps } from '../implement.ts'
import type { ReplayFile, WholeValidation } from '../ports/index.ts'
import { exchangeFile, type LazyBytes } from './recordings.ts'

/** A validation as the search for dynamic values asks for it; undefined where nothing of it is kept. */
export async function replayOf(
  { stores, storage }: Pick<Deps, 'stores' | 'storage'>,
  caller: Caller,
  { fileId, index, results }: WholeValidation,
): Promise<ReplayFile<LazyBytes> | undefined> {
  const file = fileId === null ? undefined : await stores.files.find(caller, fileId)
  if (file === undefined || index === null) return undefined
  // Of several iterations the first counts.
  const actions = results.toReversed().map(({ actionId, outcome, exchanges }) => {
    const place = exchanges.find(({ role }) => role === 'main')?.place ?? null
    return [actionId, { outcome, place }] as const
  })
  return { ...exchangeFile(storage, { storageKey: file.storageKey, index }), actions: new Map(actions) }
}
