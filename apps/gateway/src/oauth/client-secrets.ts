import { timingSafeEqual } from 'node:crypto'
import { hashSecret } from '@flamegate/auth'
import type { Adapter, AdapterPayload, Provider } from 'oidc-provider'
import { normalizeClientMetadata, parseClientMetadata } from './client-metadata.ts'

/**
 * Secrets of clients are shown once, when they register; storage has hashes alone. The provider knows a stored secret
 * as its hash with a mark before it.
 */
const mark = 'sha256:'

/** The hash of a secret as the provider knows it. */
export function markedHash(secretHash: string): string {
  return mark + secretHash
}

/** The storage of clients without their secrets. One that an older process stored in clear is hashed when it is read. */
export function withHashedSecrets(clients: Adapter): Adapter {
  return {
    ...clients,
    upsert: (id, payload, expiresIn) => clients.upsert(id, hashed(payload), expiresIn),
    async find(id) {
      const payload = await clients.find(id)
      return payload && hashed(payload)
    },
  }
}

function hashed(payload: AdapterPayload): AdapterPayload {
  const { client_secret: secret } = payload
  if (typeof secret !== 'string' || secret.startsWith(mark)) return payload
  return { ...payload, client_secret: markedHash(hashSecret(secret)) }
}

/** Makes the provider compare hashes of client secrets, because it knows nothing else. */
export function compareSecretsByHash({ Client }: Provider): void {
  Client.prototype.compareClientSecret = function (shown) {
    // Marked hashes are of one length.
    return timingSafeEqual(Buffer.from(markedHash(hashSecret(shown))), Buffer.from(String(this.clientSecret)))
  }
}

/** Keeps stored secrets out of answers, so that a client that reads or changes its registration sees no hash. */
export function hideStoredSecrets(provider: Provider): void {
  provider.use(async (context, next) => {
    await next()
    const { body } = context
    if (!isObject(body) || !String(body['client_secret']).startsWith(mark)) return
    delete body['client_secret']
    delete body['client_secret_expires_at']
  })
}

/**
 * A change of a registration (RFC 7592, 2.2), in which a client repeats its secret: the provider compares that with
 * what is stored. A stored secret that somebody got hold of is hashed once more, and does not pass.
 */
export function normalizeClientChange(text: string): string {
  const parsed = parseClientMetadata(text)
  if (!parsed) return text
  const metadata = normalizeClientMetadata(parsed)
  const { client_secret: secret } = metadata
  if (typeof secret === 'string') metadata['client_secret'] = markedHash(hashSecret(secret))
  return JSON.stringify(metadata)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
