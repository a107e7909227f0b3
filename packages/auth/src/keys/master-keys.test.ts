import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { masterKeyOf, openMasterKeys, type MasterKeySettings } from './master-keys.ts'
import { startTransit, type TestTransit } from './test-transit.ts'

let folder: string
let transit: TestTransit
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'flamegate-master-keys-'))
  transit = await startTransit('a token')
})
afterAll(async () => {
  await transit?.close()
  await rm(folder, { recursive: true })
})

const key = () => randomBytes(32).toString('base64')
const open = (settings: Partial<MasterKeySettings>) =>
  openMasterKeys({
    FLAMEGATE_KEY_PROVIDER: 'database',
    FLAMEGATE_VAULT_KEY: 'transit/flamegate',
    ...settings,
  })
const secret = Buffer.from('a data key')

const vault = () => ({ VAULT_ADDR: transit.url, VAULT_TOKEN: 'a token' })

async function keyFile(...keys: string[]): Promise<string> {
  const path = join(folder, `${randomBytes(4).toString('hex')}.keys`)
  await writeFile(path, `${keys.join('\n')}\n`)
  return path
}

test.each(['environment', 'file', 'vault'] as const)(
  'what %s wrapped shows nothing of the key, opens in another process, and only as what it is',
  async (provider) => {
    const settings: Partial<MasterKeySettings> = {
      FLAMEGATE_KEY_PROVIDER: provider,
      ...(provider === 'environment' ? { FLAMEGATE_MASTER_KEYS: key() } : {}),
      ...(provider === 'file' ? { FLAMEGATE_MASTER_KEY_FILE: await keyFile(key()) } : {}),
      ...(provider === 'vault' ? vault() : {}),
    }
    const wrapped = await (await open(settings)).wrap(secret, 'data_keys/ws_a/dk_1')
    expect(wrapped).not.toContain(secret.toString('base64').slice(0, 8))
    const other = await open(settings)
    expect(other.knows(masterKeyOf(wrapped))).toBe(true)
    expect(await other.unwrap(wrapped, 'data_keys/ws_a/dk_1')).toEqual(secret)
    await expect(other.unwrap(wrapped, 'data_keys/ws_b/dk_1')).rejects.toThrow(/authenticat/)
    const last = wrapped.at(-5) === 'A' ? 'B' : 'A'
    await expect(
      other.unwrap(wrapped.slice(0, -5) + last + wrapped.slice(-4), 'data_keys/ws_a/dk_1'),
    ).rejects.toThrow(/authenticat/)
  },
)

test('the first key wraps, the others open what they wrapped before', async () => {
  const [old, next] = [key(), key()]
  const before = await open({ FLAMEGATE_KEY_PROVIDER: 'environment', FLAMEGATE_MASTER_KEYS: old })
  const wrapped = await before.wrap(secret, 'x')
  const after = await open({ FLAMEGATE_KEY_PROVIDER: 'environment', FLAMEGATE_MASTER_KEYS: `${next},${old}` })
  expect(await after.unwrap(wrapped, 'x')).toEqual(secret)
  const again = await after.wrap(secret, 'x')
  expect(masterKeyOf(again)).not.toBe(masterKeyOf(wrapped))
  expect(before.knows(masterKeyOf(again))).toBe(false)
  await expect(before.unwrap(again, 'x')).rejects.toThrow(
    `The master key ${masterKeyOf(again).slice(6)} is not there.`,
  )
})

test('a process that runs finds a key that was put into its file', async () => {
  const old = key()
  const path = await keyFile(old)
  const running = await open({ FLAMEGATE_KEY_PROVIDER: 'file', FLAMEGATE_MASTER_KEY_FILE: path })
  await writeFile(path, `${key()}\n${old}\n`)
  const rotating = await open({ FLAMEGATE_KEY_PROVIDER: 'file', FLAMEGATE_MASTER_KEY_FILE: path })
  expect(await running.unwrap(await rotating.wrap(secret, 'x'), 'x')).toEqual(secret)
})

test('from one provider to another: what the one before wrapped opens as long as it is set', async () => {
  const path = await keyFile(key())
  const wrapped = await (
    await open({ FLAMEGATE_KEY_PROVIDER: 'file', FLAMEGATE_MASTER_KEY_FILE: path })
  ).wrap(secret, 'x')
  const moved = await open({
    FLAMEGATE_KEY_PROVIDER: 'vault',
    FLAMEGATE_MASTER_KEY_FILE: path,
    FLAMEGATE_MASTER_KEYS: key(),
    ...vault(),
  })
  expect(await moved.unwrap(wrapped, 'x')).toEqual(secret)
  expect(await moved.wrap(secret, 'x')).toMatch(/^vault\.transit\/flamegate\.vault:v1:/)
  const alone = await open({ FLAMEGATE_KEY_PROVIDER: 'vault', ...vault() })
  await expect(alone.unwrap(wrapped, 'x')).rejects.toThrow(
    /wrapped by local\.[0-9a-f]{16}, which is not set here/,
  )
})

test('without a master key, keys are kept as they are, and open when there is one', async () => {
  const none = await open({})
  const kept = await none.wrap(secret, 'x')
  expect(Buffer.from(kept.slice('clear..'.length), 'base64url')).toEqual(secret)
  const some = await open({ FLAMEGATE_KEY_PROVIDER: 'environment', FLAMEGATE_MASTER_KEYS: key() })
  expect(await some.unwrap(kept, 'x')).toEqual(secret)
})

test.each<[string, Partial<MasterKeySettings>]>([
  ['Set FLAMEGATE_MASTER_KEYS too', { FLAMEGATE_KEY_PROVIDER: 'environment' }],
  [
    'Set VAULT_ADDR and VAULT_TOKEN too',
    { FLAMEGATE_KEY_PROVIDER: 'vault', VAULT_ADDR: 'http://localhost:8200' },
  ],
  [
    'FLAMEGATE_MASTER_KEYS has something that is no master key. A master key is 32 random bytes in base64',
    { FLAMEGATE_KEY_PROVIDER: 'environment', FLAMEGATE_MASTER_KEYS: 'c2hvcnQ=' },
  ],
  [
    'FLAMEGATE_MASTER_KEY_FILE is "/nowhere/keys". The master keys cannot be read from there. Put back a copy of that file',
    { FLAMEGATE_KEY_PROVIDER: 'file', FLAMEGATE_MASTER_KEY_FILE: '/nowhere/keys' },
  ],
])('what is missing is told at the start: %s', async (words, settings) => {
  await expect(open(settings)).rejects.toThrow(words)
})

test('what Vault says against it is told, without the token', async () => {
  const wrong = await open({ FLAMEGATE_KEY_PROVIDER: 'vault', ...vault(), VAULT_TOKEN: 'another token' })
  const error = await wrong.wrap(secret, 'x').catch((reason: unknown) => String(reason))
  expect(error).toContain('does not encrypt with transit/flamegate: permission denied')
  expect(error).not.toContain('another token')
  const away = await open({ FLAMEGATE_KEY_PROVIDER: 'vault', ...vault(), VAULT_ADDR: 'http://127.0.0.1:1' })
  await expect(away.wrap(secret, 'x')).rejects.toThrow('could not be asked to encrypt a key')
})
