import { createSealing, type OpenMasterKeys } from '@flamegate/auth'
import { openKeyRoom } from '@flamegate/db'
import type { Logger } from '@flamegate/runtime'
import { resealer } from './resealer.ts'

/**
 * Brings the keys of a database from before to what is done now, while nothing else runs: keys that lie there in the clear are
 * wrapped, and what one common key sealed is sealed with the keys of its workspace.
 */
export async function bringKeysUpToDate(
  ownerUrl: string,
  masterKeys: OpenMasterKeys,
  log: Logger,
): Promise<void> {
  const room = openKeyRoom(ownerUrl, masterKeys)
  try {
    const wrapped = masterKeys.areSet ? await room.rewrap('those in the clear') : 0
    if (wrapped > 0) log.info({ keys: wrapped }, 'keys wrapped')
    if (!(await room.hasCommonKey())) return
    const { resealed, unreadable } = await room.resealAll(resealer(createSealing(room.identity)))
    if (resealed > 0) log.info({ secrets: resealed }, 'secrets sealed anew')
    if (unreadable.length > 0) log.warn({ unreadable }, 'secrets that cannot be opened')
    if (resealed === 0 && unreadable.length === 0) await room.removeCommonKey()
  } finally {
    await room.close()
  }
}
