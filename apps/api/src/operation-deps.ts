import { apiTokenPrefix, hashSecret, newSecret } from '@flamegate/auth'
import type { Deps } from '@flamegate/operations'
import type { JobQueue, ObjectStorage, Stores } from '@flamegate/operations/ports'

/** What operations are built on, out of the adapters of this process. */
export function operationDeps(parts: {
  stores: Stores
  queue: JobQueue
  storage: ObjectStorage
  publicUrl: string
}): Deps {
  return {
    ...parts,
    serverName: 'Flamegate',
    newSecret: () => {
      const secret = newSecret(apiTokenPrefix)
      return { secret, hash: hashSecret(secret) }
    },
  }
}
