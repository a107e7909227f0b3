import { createSealing, type OpenMasterKeys } from '@flamegate/auth'
import { openKeyRoom } from '@flamegate/db'
import type { Logger } from '@flamegate/runtime'
import { resealer } from './resealer.ts'

/**
 * Brings the keys of a database from before to what is done now, while nothing else runs: keys that lie there in the clear are
 * wrapped, addresses that do are sealed, and what one common key sealed is sealed with the keys of its workspace.
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
    const sealing = createSealing(room.identity)
    const sealed = await room.sealPlain((plain, of) => sealing.seal(plain, of))
    if (sealed > 0) log.info({ addresses: sealed }, 'addresses sealed')
    if (!(await room.hasCommonKey())) return
    const { resealed, unreadable } = await room.resealAll(resealer(sealing))
    if (resealed > 0) log.info({ secrets: resealed }, 'secrets sealed anew')
    if (unreadable.length > 0) log.warn({ unreadable }, 'secrets that cannot be opened')
    if (resealed === 0 && unreadable.length === 0) await room.removeCommonKey()
  } finally {
    await room.close()
  }
}
