import { createHmac } from 'node:crypto'
import { hashSecret, newSecret } from '@flamegate/auth'
import type { IdentityStore } from '@flamegate/operations/ports'
import { Provider } from 'oidc-provider'

type Records = IdentityStore['oauth']

/**
 * Refresh tokens change with every use, and whoever uses an old one ends the grant (RFC 9700, 4.14.2). But clients
 * refresh from several processes at once, and lose answers: within the grace, an old one gives the same successor as
 * the first time.
 *
 *     A  used at 0 s ............. again by 60 s -> B, and a new access token
 *                                  again later   -> the grant is revoked
 *
 * The successor is made of the token itself and a random key that only storage has: all processes come to the same
 * one without asking each other, and neither the token nor the storage tells it alone.
 */
const graceMs = 60_000

/** Storage of refresh tokens: each has the key that makes its successor, and counts as used when its grace is over. */
export function refreshTokenRecords(store: Records): Records {
  return {
    ...store,
    // Two that refresh at once store the same successor; the key of the first one stays.
    async upsert(model, id, record) {
      await store.add(model, id, { ...record, payload: { ...record.payload, successorKey: newSecret() } })
    },
    async find(model, id) {
      const record = await store.find(model, id)
      if (!record || record.consumedMsAgo === null || record.consumedMsAgo > graceMs) return record
      return { ...record, consumedMsAgo: null }
    },
  }
}

interface Saving {
  save: (this: InstanceType<Provider['RefreshToken']>) => Promise<string>
}

/** Makes the provider give a used token's successor its id, which it would otherwise draw anew every time. */
export function rotateToOneSuccessor({ RefreshToken }: Provider, store: Records): void {
  const inherited: Saving = RefreshToken.prototype
  const { save } = inherited
  RefreshToken.prototype.save = async function () {
    const used = Provider.ctx?.oidc.entities.RotatedRefreshToken
    if (used) this.jti ??= await successorOf(used.jti, store)
    return save.call(this)
  }
}

async function successorOf(token: string, store: Records): Promise<string> {
  const record = await store.find('RefreshToken', hashSecret(token))
  // Without a record the grant was revoked a moment ago, and what comes of this is worth nothing.
  const { successorKey = newSecret() } = record?.payload ?? {}
  return createHmac('sha256', String(successorKey)).update(token).digest('base64url')
}
