import { createHash } from 'node:crypto'
import { decrypt, encrypt, keyBytes } from './aes-gcm.ts'
import { MasterKeyError, type KeyProvider } from './key-provider.ts'

/**
 * Master keys that this process itself has: a file, or a setting, with keys in base64, one after the other. The first one wraps, all
 * of them unwrap.
 * @param setting Which one says them, for whoever has to mend it.
 * @param load Asked again for the key in use, and for one that is not known: somebody may have added it.
 */
export async function localMasterKeys(setting: string, load: () => Promise<string>): Promise<KeyProvider> {
  let keys = readMasterKeys(setting, await load())

  return {
    prefix: 'local',
    knows: (name) => keys.some((each) => each.name === name),
    async wrap(key, about) {
      keys = readMasterKeys(setting, await load())
      const [first] = keys
      if (first === undefined) throw new MasterKeyError('There is no master key.')
      return { name: first.name, bytes: encrypt(first.key, key, about).toString('base64url') }
    },
    async unwrap({ name, bytes }, about) {
      let found = keys.find((each) => each.name === name)
      if (found === undefined) {
        keys = readMasterKeys(setting, await load())
        found = keys.find((each) => each.name === name)
      }
      if (found === undefined) throw new MasterKeyError(`The master key ${name} is not there.`)
      return decrypt(found.key, Buffer.from(bytes, 'base64url'), about)
    },
  }
}

/**
 * Keys in the order in which they stand, each with a name that tells nothing of it.
 * @throws MasterKeyError when one of them is not 32 bytes
 */
function readMasterKeys(setting: string, text: string): { name: string; key: Buffer }[] {
  const keys = text
    .split(/[\s,]+/)
    .filter((word) => word !== '')
    .map((word) => Buffer.from(word, 'base64'))
  if (keys.length === 0 || keys.some((key) => key.length !== keyBytes))
    throw new MasterKeyError(
      `${setting} has something that is no master key. A master key is ${keyBytes} random bytes in base64, as \`openssl rand -base64 ${keyBytes}\` makes them; give one, or several with the one in use first.`,
    )
  return keys.map((key) => ({ name: nameOf(key), key }))
}

function nameOf(key: Buffer): string {
  return createHash('sha256').update('flamegate master key').update(key).digest('hex').slice(0, 16)
}
