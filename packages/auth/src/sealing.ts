import { createCipheriv, createDecipheriv, randomBytes, randomUUID } from 'node:crypto'
import type { IdentityStore, Sealing } from '@flamegate/operations/ports'
import { z } from 'zod'

const keySchema = z.object({ id: z.string(), key: z.base64url() })

const algorithm = 'aes-256-gcm'
// NIST SP 800-38D, 8.2.2: random, 96 bits, fine for 2^32 seals with one key.
const nonceBytes = 12
const tagBytes = 16

/** With keys that all processes share: the newest one seals, all of them open. */
export async function createSealing(identity: Pick<IdentityStore, 'keys'>): Promise<Sealing> {
  const stored = await identity.keys('secret', async () => ({
    id: randomUUID(),
    key: randomBytes(32).toString('base64url'),
  }))
  const keys = stored.map((each) => keySchema.parse(each))
  const [newest] = keys
  if (!newest) throw new RangeError('There is no key to seal with')

  return {
    seal(plain, about) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv(algorithm, Buffer.from(newest.key, 'base64url'), nonce)
      cipher.setAAD(Buffer.from(about))
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return `${newest.id}.${Buffer.concat([nonce, body, cipher.getAuthTag()]).toString('base64url')}`
    },
    open(sealed, about) {
      const [id, text = ''] = sealed.split('.')
      const found = keys.find((each) => each.id === id)
      if (!found) throw new RangeError('The key that sealed this is not there any more')
      const bytes = Buffer.from(text, 'base64url')
      const key = Buffer.from(found.key, 'base64url')
      const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes), {
        authTagLength: tagBytes,
      })
      decipher.setAAD(Buffer.from(about))
      decipher.setAuthTag(bytes.subarray(-tagBytes))
      return (
        decipher.update(bytes.subarray(nonceBytes, -tagBytes), undefined, 'utf8') + decipher.final('utf8')
      )
    },
  }
}
