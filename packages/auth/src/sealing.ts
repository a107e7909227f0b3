import { randomBytes } from 'node:crypto'
import { SecretLost, type DataKey, type IdentityStore, type Sealing } from '@flamegate/operations/ports'
import { z } from 'zod'
import { ExpiringCache } from './expiring-cache.ts'
import { decrypt, encrypt, keyBytes } from './keys/aes-gcm.ts'

/** A key that is replaced seals no longer than that. */
const sealsForMs = 60_000
const opensForMs = 600_000
const keysMax = 10_000

/** Before workspaces had keys of their own, one key sealed everything. */
const commonKeySchema = z.object({ id: z.string(), key: z.base64url() })

/** With keys that all processes share, and that are looked up when they are needed. */
export function createSealing(
  identity: Pick<IdentityStore, 'keys' | 'dataKeys'>,
  now: () => number = Date.now,
): Sealing {
  const current = new ExpiringCache<Promise<DataKey>>(keysMax)
  const opening = new ExpiringCache<Promise<Buffer>>(keysMax)

  async function findKey(id: string): Promise<Buffer> {
    const found = await identity.dataKeys.find(id)
    if (found !== undefined) return found.key
    const common = await identity.keys('secret', () => Promise.reject(keyIsGone()))
    const { key } = common.map((each) => commonKeySchema.parse(each)).find((each) => each.id === id) ?? {}
    if (key === undefined) throw keyIsGone()
    return Buffer.from(key, 'base64url')
  }

  /** Many who ask for one key wait for one answer; one that failed is asked for again. */
  function remembered<T>(
    cache: ExpiringCache<Promise<T>>,
    name: string,
    lifetimeMs: number,
    load: () => Promise<T>,
  ): Promise<T> {
    const known = cache.get(name, now())
    if (known !== undefined) return known
    const loading = load()
    cache.set(name, loading, now() + lifetimeMs)
    loading.catch(() => cache.delete(name))
    return loading
  }

  return {
    async seal(plain, { id: about, workspaceId }) {
      const { id, key } = await remembered(current, workspaceId ?? '', sealsForMs, () =>
        identity.dataKeys.current(workspaceId, () => randomBytes(keyBytes)),
      )
      return `${id}.${encrypt(key, Buffer.from(plain), about).toString('base64url')}`
    },
    async open(sealed, about) {
      const [id = '', text = ''] = sealed.split('.')
      const key = await remembered(opening, id, opensForMs, () => findKey(id))
      return decrypt(key, Buffer.from(text, 'base64url'), about).toString('utf8')
    },
  }
}

function keyIsGone(): SecretLost {
  return new SecretLost('The key that sealed this is not there any more')
}
