import { hashSecret } from '@flamegate/auth'
import type { IdentityStore, OAuthRecord } from '@flamegate/operations/ports'
import { errors } from 'oidc-provider'
import type { Adapter, AdapterPayload } from 'oidc-provider'

/** Their ids are what a client shows to get in, so storage sees only the hash. */
const secretIds = new Set(['AuthorizationCode', 'RefreshToken', 'RegistrationAccessToken'])

/** oidc-provider's storage of one model in our identity store. */
export function createRecordAdapter(store: IdentityStore['oauth'], model: string): Adapter {
  const isSecret = secretIds.has(model)
  const keyOf = (id: string) => (isSecret ? hashSecret(id) : id)

  return {
    async upsert(id, payload, expiresIn) {
      const { jti, ...rest } = payload
      const record = {
        payload: isSecret || jti === undefined ? rest : { ...rest, jti },
        // A grant belongs to itself, so that revoking it removes it with everything that came from it.
        grantId: model === 'Grant' ? id : payload.grantId,
        userCode: payload.userCode,
        uid: payload.uid,
        accountId: payload.accountId,
        expiresAt: expiresIn === undefined ? undefined : new Date(Date.now() + expiresIn * 1000),
      }
      if (model !== 'ReplayDetection') return store.upsert(model, keyOf(id), record)
      // The provider looked for this assertion of a client, and another process may have taken the same one since.
      if (await store.add(model, keyOf(id), record)) return
      throw new errors.InvalidClientAuth('client assertion tokens must only be used once')
    },
    async find(id) {
      const payload = readRecord(await store.find(model, keyOf(id)))
      return payload && isSecret ? { ...payload, jti: id } : payload
    },
    findByUid: async (uid) => readRecord(await store.findByUid(model, uid)),
    findByUserCode: async (userCode) => readRecord(await store.findByUserCode(model, userCode)),
    async consume(id) {
      const isFirst = await store.consume(model, keyOf(id))
      // Another process may have taken the code since it was found. A refresh token is good for its whole grace.
      if (!isFirst && model !== 'RefreshToken') throw new errors.InvalidGrant('used already')
    },
    destroy: (id) => (model === 'Grant' ? store.revokeGrant(id) : store.destroy(model, keyOf(id))),
    async revokeByGrantId(grantId) {
      // The provider asks once per model; the store removes all of them, so the model that is always asked is enough.
      if (model === 'AccessToken') await store.revokeGrant(grantId)
    },
  }
}

function readRecord(record: OAuthRecord | undefined): AdapterPayload | undefined {
  if (!record) return undefined
  const { payload, consumedMsAgo } = record
  if (consumedMsAgo === null) return payload
  return { ...payload, consumed: Math.floor((Date.now() - consumedMsAgo) / 1000) }
}
