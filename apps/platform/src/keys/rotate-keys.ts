import { createSealing, rotateKeys as rotateSigningKeys, type OpenMasterKeys } from '@flamegate/auth'
import { openKeyRoom } from '@flamegate/db'
import { resealer } from './resealer.ts'

export const keyKinds = ['master', 'data', 'signing'] as const
export type KeyKind = (typeof keyKinds)[number]

/** Time to start every process once, so that all of them know the new keys before one of them uses them. */
const activeAfterMs = 3_600_000

/** Changes keys while everything goes on. What is interrupted is done by doing it again. */
export async function rotateKeys(
  ownerUrl: string,
  masterKeys: OpenMasterKeys,
  kinds: readonly KeyKind[],
  say: (line: string) => void,
): Promise<void> {
  const room = openKeyRoom(ownerUrl, masterKeys)
  try {
    if (kinds.includes('master')) {
      const wrapped = await room.rewrap('all')
      say(
        masterKeys.areSet
          ? `${wrapped} keys are wrapped by the master key in use.`
          : 'There is no master key: keys lie in the database as they are. See FLAMEGATE_KEY_PROVIDER.',
      )
    }
    if (kinds.includes('data')) {
      await room.retireDataKeys()
      const sealing = createSealing(room.identity)
      const sealed = await room.sealPlain((plain, of) => sealing.seal(plain, of))
      if (sealed > 0) say(`${sealed} addresses that lay there in the clear are sealed.`)
      const { resealed, unreadable } = await room.resealAll(resealer(sealing))
      say(`${resealed} secrets are sealed with new keys.`)
      for (const place of unreadable) say(`It could not be opened, and stays as it is: ${place}.`)
      if (resealed === 0 && unreadable.length === 0 && (await room.hasCommonKey()))
        await room.removeCommonKey()
      const removed = await room.removeUnusedDataKeys()
      if (removed > 0) say(`${removed} keys that nothing is sealed with are gone.`)
    }
    if (kinds.includes('signing')) {
      const activeAt = new Date(Date.now() + activeAfterMs)
      await rotateSigningKeys(room.identity, activeAt)
      say(
        `There are new keys to sign with. Start every process anew before ${activeAt.toISOString()}, so that it knows them, ` +
          'and once more after that, so that it uses them.',
      )
    }
  } finally {
    await room.close()
  }
}
