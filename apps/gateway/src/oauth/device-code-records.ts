import { hashSecret } from '@flamegate/auth'
import type { IdentityStore } from '@flamegate/operations/ports'
import { errors } from 'oidc-provider'
import type { Adapter } from 'oidc-provider'

type Records = IdentityStore['oauth']

/** Before the hash that stands for a device code; the codes themselves are base64url. */
const hashed = '#'

/**
 * The storage of device codes, by their hashes like all secrets. A request is also found by the code that its person
 * types; the device code is not known then, so that the request is stored again under the hash it came with. As a
 * device code that hash is worth nothing: what is shown is hashed in any case.
 *
 * A program that asks too often while its person has not decided is told to slow down (RFC 8628, 3.5).
 */
export function withHashedDeviceCodes(records: Adapter, store: Pick<Records, 'notePoll'>): Adapter {
  return {
    ...records,
    upsert: (id, payload, expiresIn) => records.upsert(keyOf(id), { ...payload, jti: keyOf(id) }, expiresIn),
    async find(id) {
      const payload = await records.find(hashOf(id))
      if (!payload) return undefined
      const isWaiting = payload.accountId === undefined && payload['error'] === undefined
      if (isWaiting && !(await store.notePoll(hashOf(id)))) throw new errors.SlowDown()
      return { ...payload, jti: id }
    },
    consume: (id) => records.consume(keyOf(id)),
    destroy: (id) => records.destroy(keyOf(id)),
  }
}

function hashOf(deviceCode: string): string {
  return hashed + hashSecret(deviceCode)
}

function keyOf(id: string): string {
  return id.startsWith(hashed) ? id : hashOf(id)
}
