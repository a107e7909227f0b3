import { z } from 'zod'
import { MasterKeyError, type KeyProvider } from './key-provider.ts'

/**
 * The transit engine of HashiCorp Vault, or of OpenBao, which speaks the same: the master key never leaves it.
 * https://openbao.org/api-docs/secret/transit/
 */
export interface VaultTransit {
  /** Of the server, without a path. */
  address: string
  token: string
  /** Mount and name of the key: `transit/flamegate`. */
  key: string
}

const answerSchema = z.object({
  data: z.object({ ciphertext: z.string().optional(), plaintext: z.base64().optional() }),
})
const refusalSchema = z.object({ errors: z.array(z.string()) })

const timeoutMs = 10_000

export function vaultTransit({ address, token, key }: VaultTransit): KeyProvider {
  async function ask(action: 'encrypt' | 'decrypt', path: string, fields: Record<string, string>) {
    const separator = path.lastIndexOf('/')
    const [mount, name] = [path.slice(0, separator), path.slice(separator + 1)]
    const url = `${address.replace(/\/+$/, '')}/v1/${mount}/${action}/${name}`
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'x-vault-token': token, 'x-vault-request': 'true', 'content-type': 'application/json' },
      body: JSON.stringify(fields),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    }).catch((cause: unknown) => {
      throw new MasterKeyError(`${address} could not be asked to ${action} a key.`, { cause })
    })
    const body: unknown = await response.json().catch(() => undefined)
    if (!response.ok) {
      const reasons = refusalSchema.safeParse(body).data?.errors.join('; ')
      throw new MasterKeyError(
        `${address} does not ${action} with ${path}: ${reasons || `HTTP ${response.status}`}.`,
      )
    }
    return answerSchema.parse(body).data
  }

  return {
    prefix: 'vault',
    // Which of its keys may be used is the server's to say.
    knows: () => true,
    async wrap(plain, about) {
      const { ciphertext } = await ask('encrypt', key, {
        plaintext: base64(plain),
        associated_data: base64(about),
      })
      if (ciphertext === undefined) throw new MasterKeyError(`${address} gave no ciphertext.`)
      return { name: key, bytes: ciphertext }
    },
    async unwrap({ name, bytes }, about) {
      const { plaintext } = await ask('decrypt', name, { ciphertext: bytes, associated_data: base64(about) })
      if (plaintext === undefined) throw new MasterKeyError(`${address} gave no plaintext.`)
      return Buffer.from(plaintext, 'base64')
    },
  }
}

function base64(bytes: string | Uint8Array): string {
  return Buffer.from(bytes).toString('base64')
}
