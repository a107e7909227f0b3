import { randomBytes } from 'node:crypto'
import type { IdentityStore } from '@flamegate/operations/ports'

/** The key that signs links of the folder storage, shared by all processes. */
export async function loadStorageKey(identity: Pick<IdentityStore, 'keys'>): Promise<string> {
  const [newest] = await identity.keys('storage', async () => ({
    key: randomBytes(32).toString('base64url'),
  }))
  return String(newest?.['key'])
}
