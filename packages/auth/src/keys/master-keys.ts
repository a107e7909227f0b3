import { readFile } from 'node:fs/promises'
import { noMasterKeys, type MasterKeys } from '@flamegate/operations/ports'
import { MasterKeyError, type KeyProvider } from './key-provider.ts'
import { localMasterKeys } from './local-master-keys.ts'
import { vaultTransit } from './vault-transit.ts'

/** Where master keys are, as `masterKeySettings` reads it. */
export interface MasterKeySettings {
  FLAMEGATE_KEY_PROVIDER: 'database' | 'environment' | 'file' | 'vault'
  FLAMEGATE_MASTER_KEYS?: string | undefined
  FLAMEGATE_MASTER_KEY_FILE?: string | undefined
  VAULT_ADDR?: string | undefined
  VAULT_TOKEN?: string | undefined
  FLAMEGATE_VAULT_KEY: string
}

export interface OpenMasterKeys extends MasterKeys {
  /** False: there is no master key, and keys lie in the database as they are. */
  areSet: boolean
  /** Whether what the master key of that name wrapped can be opened; see `masterKeyOf`. */
  knows(masterKey: string): boolean
}

/**
 * The provider that was chosen wraps; all that are set unwrap, so that one may move from one to another.
 * @throws MasterKeyError when the one that was chosen is not set
 */
export async function openMasterKeys(settings: MasterKeySettings): Promise<OpenMasterKeys> {
  const { FLAMEGATE_MASTER_KEYS: given, FLAMEGATE_MASTER_KEY_FILE: file, VAULT_ADDR, VAULT_TOKEN } = settings
  const providers = {
    environment:
      given === undefined ? undefined : await localMasterKeys('FLAMEGATE_MASTER_KEYS', async () => given),
    file:
      file === undefined
        ? undefined
        : await localMasterKeys('FLAMEGATE_MASTER_KEY_FILE', () => readKeyFile(file)),
    vault:
      VAULT_ADDR === undefined || VAULT_TOKEN === undefined
        ? undefined
        : vaultTransit({ address: VAULT_ADDR, token: VAULT_TOKEN, key: settings.FLAMEGATE_VAULT_KEY }),
  }
  const all = Object.values(providers).filter((each) => each !== undefined)
  const chosen = settings.FLAMEGATE_KEY_PROVIDER
  if (chosen === 'database') return combine(undefined, all)
  const wrapping = providers[chosen]
  if (wrapping !== undefined) return combine(wrapping, all)
  throw new MasterKeyError(
    `A setting is not right:\n  FLAMEGATE_KEY_PROVIDER is ${chosen}. Set ${neededBy[chosen]} too.`,
  )
}

const neededBy = {
  environment: 'FLAMEGATE_MASTER_KEYS',
  file: 'FLAMEGATE_MASTER_KEY_FILE',
  vault: 'VAULT_ADDR and VAULT_TOKEN',
}

/** Name of the master key that wrapped a key: `local.0123456789abcdef`, `vault.transit/flamegate`; `clear.` when there was none. */
export function masterKeyOf(wrapped: string): string {
  return wrapped.split('.', 2).join('.')
}

function combine(wrapping: KeyProvider | undefined, all: readonly KeyProvider[]): OpenMasterKeys {
  const providerOf = (prefix: string, name: string) => {
    const alike = all.filter((each) => each.prefix === prefix)
    return alike.find((each) => each.knows(name)) ?? alike.at(-1)
  }
  return {
    areSet: wrapping !== undefined,
    knows(masterKey) {
      const [prefix = '', name = ''] = masterKey.split('.', 2)
      return prefix === 'clear' || (providerOf(prefix, name)?.knows(name) ?? false)
    },
    async wrap(key, about) {
      if (wrapping === undefined) return noMasterKeys.wrap(key, about)
      const { name, bytes } = await wrapping.wrap(key, about)
      return [wrapping.prefix, name, bytes].join('.')
    },
    async unwrap(wrapped, about) {
      const [prefix = '', name = '', ...bytes] = wrapped.split('.')
      if (prefix === 'clear') return noMasterKeys.unwrap(wrapped, about)
      const provider = providerOf(prefix, name)
      if (provider !== undefined) return provider.unwrap({ name, bytes: bytes.join('.') }, about)
      throw new MasterKeyError(
        `Keys in the database are wrapped by ${masterKeyOf(wrapped)}, which is not set here. See FLAMEGATE_KEY_PROVIDER.`,
      )
    },
  }
}

async function readKeyFile(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((cause: unknown) => {
    throw new MasterKeyError(
      `FLAMEGATE_MASTER_KEY_FILE is "${path}". The master keys cannot be read from there. Put back a copy of that file: without it no secret in the database can be read.`,
      { cause },
    )
  })
}
