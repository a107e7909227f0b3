import type { IdentityStore } from '@flamegate/operations/ports'
import { makeAssertionKey } from './assertion.ts'
import { makeConfirmationKey } from './confirmation.ts'
import { makeCookieKey } from './cookie-keys.ts'
import { makeSigningKey } from './signing-keys.ts'

const makers = {
  jwks: makeSigningKey,
  cookie: makeCookieKey,
  assertion: makeAssertionKey,
  confirmation: makeConfirmationKey,
}

/**
 * Adds a new key of every kind that signs something. A process reads the keys when it starts: started before
 * `activeAt` it knows the new ones and still signs with the old ones, started later it signs with the new ones. So
 * start all processes anew before that time, and again after it: whatever one of them signs, all others verify.
 */
export async function rotateKeys(
  identity: Pick<IdentityStore, 'keys' | 'addKey'>,
  activeAt: Date,
): Promise<void> {
  for (const [kind, make] of Object.entries(makers)) {
    // The key in use comes first: without one, the new one would be used at once.
    await identity.keys(kind, make)
    await identity.addKey(kind, await make(), activeAt)
  }
}
