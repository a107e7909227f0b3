import { randomBytes } from 'node:crypto'
import type { IdentityStore } from '@flamegate/operations/ports'

/** The secrets that sign cookies of the OAuth server: the first signs, all of them verify. */
export async function loadCookieKeys(identity: Pick<IdentityStore, 'keys'>): Promise<string[]> {
  const keys = await identity.keys('cookie', makeCookieKey)
  return keys.map(({ key }) => String(key))
}

export async function makeCookieKey(): Promise<Record<string, unknown>> {
  return { key: randomBytes(32).toString('base64url') }
}
