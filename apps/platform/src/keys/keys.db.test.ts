import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSealing, loadSigningKeys, openMasterKeys } from '@flamegate/auth'
import { newId } from '@flamegate/contract'
import { createStores } from '@flamegate/db'
import { prepareProject } from '@flamegate/db/testing'
import { createLogger } from '@flamegate/runtime'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bringKeysUpToDate } from './bring-keys-up-to-date.ts'
import { addMasterKeys, keyFileIn, masterKeysOfDataDir, newMasterKey } from './data-dir-keys.ts'
import { rotateKeys } from './rotate-keys.ts'

/** An installation of a release that had one key for everything, in the clear, and what becomes of it. */

const { at, ada, place, asAda } = prepareProject({ access: 'admin' })
let dataDir: string
const webhookId = newId('webhook')
const notificationId = newId('notification')
const address = 'https://example.com/hooks/T0123456789'
let kid: string | undefined
/** As it lay in the database. */
let commonKey: string
const log = createLogger({ level: 'silent' })

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'flamegate-keys-'))
  kid = (await loadSigningKeys(at.identity))[0]?.kid
  commonKey = randomBytes(32).toString('base64url')
  await at.identity.keys('secret', async () => ({ id: 'common', key: commonKey }))
  const ofCommonKey = createSealing({
    ...at.identity,
    dataKeys: {
      find: async () => undefined,
      current: async () => ({ id: 'common', key: Buffer.from(commonKey, 'base64url') }),
    },
  })
  const sealedSecret = await ofCommonKey.seal('whsec_ada', { id: webhookId, workspaceId: null })
  const webhook = { ...place, host: 'example.com', events: ['run.completed' as const], isActive: true }
  await at.stores.webhooks.create(asAda(), { ...webhook, id: webhookId, sealedUrl: '', sealedSecret })
  await at.stores.notifications.create(asAda(), {
    id: notificationId,
    workspaceId: ada.workspaceId,
    name: 'Program',
    channel: 'http',
    target: {},
    sealedSecret: null,
    sealedUrl: null,
    events: ['test_failed'],
    filter: { scenario_name: null, duration_ms_min: null, users_min: null, project_id: null },
    isActive: true,
  })
  await putInTheClear()
  const totp = await ofCommonKey.seal('JBSWY3DP', { id: ada.userId, workspaceId: null })
  await at.identity.accounts.totp.begin(ada.userId, totp)
  // Keys were not wrapped, not even by a word that says so.
  const { rows } = await at.admin.query<{ id: string; wrapped: string }>(
    `SELECT id, secret->>'wrapped' AS wrapped FROM oauth_keys`,
  )
  for (const { id, wrapped } of rows) {
    const secret = Buffer.from(wrapped.slice('clear..'.length), 'base64url').toString()
    await at.admin.query('UPDATE oauth_keys SET secret = $1 WHERE id = $2', [secret, id])
  }
})
afterAll(() => rm(dataDir, { recursive: true, force: true }))

/** Addresses were not sealed. */
async function putInTheClear(): Promise<void> {
  await at.admin.query('UPDATE webhooks SET url = $1, sealed_url = NULL WHERE id = $2', [address, webhookId])
  await at.admin.query('UPDATE notifications SET target = $1, sealed_url = NULL WHERE id = $2', [
    { host: 'example.com', url: address },
    notificationId,
  ])
}

const settings = () =>
  masterKeysOfDataDir({
    FLAMEGATE_KEY_PROVIDER: 'file' as const,
    FLAMEGATE_VAULT_KEY: 'transit/flamegate',
    FLAMEGATE_DATA_DIR: dataDir,
  })

/** As a process that starts now. */
async function openProcess() {
  const masterKeys = await openMasterKeys(await settings())
  const { identity } = createStores(at.database, masterKeys)
  return { masterKeys, identity, sealing: createSealing(identity) }
}

const sealedNow = async () => (await at.stores.webhooks.find(asAda(), webhookId))?.sealedSecret ?? ''
const addressNow = async () => {
  const { sealedUrl = null, plainUrl = null } = (await at.stores.webhooks.find(asAda(), webhookId)) ?? {}
  return { sealed: sealedUrl ?? '', plain: plainUrl }
}
const keysInDatabase = async () => {
  const { rows } = await at.admin.query<{ text: string }>(
    `SELECT secret::text AS text FROM oauth_keys UNION ALL SELECT wrapped FROM data_keys`,
  )
  return rows.map(({ text }) => text)
}

test('its keys are wrapped by a file of its own, its secrets sealed for their workspace, and nothing is lost', async () => {
  expect((await keysInDatabase()).join()).toContain(commonKey)
  const { masterKeys, identity, sealing } = await openProcess()
  expect((await stat(keyFileIn(dataDir))).mode & 0o777).toBe(0o600)
  await bringKeysUpToDate(at.urls.ownerUrl, masterKeys, log)
  for (const stored of await keysInDatabase()) expect(stored).toMatch(/^(\{"wrapped": ")?local\./)
  expect(await sealedNow()).toMatch(/^dk_/)
  expect(await sealing.open(await sealedNow(), webhookId)).toBe('whsec_ada')
  const { sealed, plain } = await addressNow()
  expect([plain, await sealing.open(sealed, webhookId)]).toEqual([null, address])
  const totp = await identity.accounts.totp.find(ada.userId)
  expect(await sealing.open(totp?.sealedSecret ?? '', ada.userId)).toBe('JBSWY3DP')
  expect((await loadSigningKeys(identity))[0]?.kid).toBe(kid)

  const before = await sealedNow()
  await bringKeysUpToDate(at.urls.ownerUrl, masterKeys, log)
  expect(await sealedNow()).toBe(before)
  expect((await addressNow()).sealed).toBe(sealed)
  const { rows } = await at.admin.query(`SELECT FROM oauth_keys WHERE kind = 'secret'`)
  expect(rows).toHaveLength(0)
})

test('keys are changed while processes run: they go on, and so does one that starts later', async () => {
  const running = await openProcess()
  await running.sealing.open(await sealedNow(), webhookId)
  const [before, file] = [await sealedNow(), await readFile(keyFileIn(dataDir), 'utf8')]
  const keysBefore = await keysInDatabase()

  await addMasterKeys(keyFileIn(dataDir), newMasterKey())
  const said: string[] = []
  const { masterKeys } = await openProcess()
  await rotateKeys(at.urls.ownerUrl, masterKeys, ['master', 'data', 'signing'], (line) => said.push(line))
  expect(said).toEqual([
    expect.stringMatching(/^\d+ keys are wrapped by the master key in use\.$/),
    '4 secrets are sealed with new keys.',
    expect.stringContaining('Start every process anew before'),
  ])
  for (const stored of await keysInDatabase()) expect(keysBefore).not.toContain(stored)
  const after = await sealedNow()
  expect(after.split('.')[0]).not.toBe(before.split('.')[0])
  expect(await readFile(keyFileIn(dataDir), 'utf8')).toMatch(
    new RegExp(`^\\S{44}\\n${file.trim().replaceAll('+', '\\+')}\\n$`),
  )

  expect(await running.sealing.open(after, webhookId)).toBe('whsec_ada')
  expect(await running.sealing.open((await addressNow()).sealed, webhookId)).toBe(address)
  const late = await running.sealing.seal('late', { id: 'x', workspaceId: ada.workspaceId })
  const started = await openProcess()
  expect(await started.sealing.open(after, webhookId)).toBe('whsec_ada')
  expect(await started.sealing.open(late, 'x')).toBe('late')
  expect(await loadSigningKeys(started.identity)).toHaveLength(2)

  // Without the new key, a copy of the database tells nothing.
  const old = await openMasterKeys({
    FLAMEGATE_KEY_PROVIDER: 'environment',
    FLAMEGATE_VAULT_KEY: 'transit/flamegate',
    FLAMEGATE_MASTER_KEYS: file,
  })
  const elsewhere = createSealing(createStores(at.database, old).identity)
  await expect(elsewhere.open(after, webhookId)).rejects.toThrow(/The master key [0-9a-f]{16} is not there/)
})

test('addresses that lie there in the clear are sealed when keys are changed, too', async () => {
  const { masterKeys, sealing } = await openProcess()
  await putInTheClear()
  const said: string[] = []
  await rotateKeys(at.urls.ownerUrl, masterKeys, ['data'], (line) => said.push(line))
  expect(said[0]).toBe('2 addresses that lay there in the clear are sealed.')
  const { sealed, plain } = await addressNow()
  expect([plain, await sealing.open(sealed, webhookId)]).toEqual([null, address])
  const { target, sealedUrl } = (await at.stores.notifications.find(asAda(), notificationId)) ?? {}
  expect(target).toEqual({ host: 'example.com' })
  expect(await sealing.open(sealedUrl ?? '', notificationId)).toBe(address)
})

test('what is done twice changes nothing more, and a secret that cannot be opened is named and stays', async () => {
  const { masterKeys } = await openProcess()
  await at.stores.webhooks.update(asAda(), webhookId, { sealedSecret: 'dk_nobody.AAAA' })
  const said: string[] = []
  await rotateKeys(at.urls.ownerUrl, masterKeys, ['data'], (line) => said.push(line))
  expect(said).toEqual([
    '3 secrets are sealed with new keys.',
    `It could not be opened, and stays as it is: webhooks.sealed_secret of ${ada.workspaceId} ${webhookId}.`,
  ])
  expect(await sealedNow()).toBe('dk_nobody.AAAA')
})
