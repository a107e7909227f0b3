import { randomBytes } from 'node:crypto'
import type { IdentityStore } from '@flamegate/operations/ports'

/** Keys the digests of arguments in the audit log. Never replaced: digests of one key do not compare with another's. */
export async function loadAuditKey(identity: Pick<IdentityStore, 'keys'>): Promise<string> {
  const [key] = await identity.keys('audit', async () => ({ key: randomBytes(32).toString('base64url') }))
  return String(key?.['key'])
}
