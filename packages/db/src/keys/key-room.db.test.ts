import { newId } from '@flamegate/contract'
import type { MasterKeys } from '@flamegate/operations/ports'
import { Client } from 'pg'
import { afterAll, expect, test } from 'vitest'
import { createStores } from '../stores.ts'
import { prepareProject } from '../testing.ts'
import { openKeyRoom, type KeyRoom } from './key-room.ts'
import { sealedColumns } from './sealed-columns.ts'

const { at, ada, projectId, place, asAda } = prepareProject({ access: 'admin' })
const rooms: KeyRoom[] = []

afterAll(() => Promise.all(rooms.map((room) => room.close())))

function roomWith(masterKeys: MasterKeys): KeyRoom {
  const room = openKeyRoom(at.urls.ownerUrl, masterKeys)
  rooms.push(room)
  return room
}

const hidden = (text: string) => Buffer.from(text).toString('hex')

/** Not secret at all, but what it wraps does not read like the key, and opens as the same only. */
function masterKey(name: string): MasterKeys {
  return {
    wrap: async (key, about) => `local.${name}.${hidden(about)}.${Buffer.from(key).toString('hex')}`,
    async unwrap(wrapped, about) {
      if (wrapped.startsWith('clear..')) return Buffer.from(wrapped.slice(7), 'base64url')
      const [, named, of, key = ''] = wrapped.split('.')
      if (named !== name && name !== 'any') throw new Error(`${named} is not there`)
      if (of !== hidden(about)) throw new Error('wrapped as another key')
      return Buffer.from(key, 'hex')
    },
  }
}

async function texts(query: string): Promise<unknown[]> {
  const { rows } = await at.admin.query<unknown[]>({ text: query, rowMode: 'array' })
  return rows.map(([first]) => first)
}

test('every sealed column is known to whoever changes keys, and only then', async () => {
  expect(sealedColumns.map(({ table, column }) => `${table}.${column}`).toSorted()).toEqual(
    await texts(`SELECT relname || '.' || attname FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
      WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND NOT attisdropped
        AND attname LIKE 'sealed\\_%' ORDER BY 1`),
  )
  for (const { table } of [...sealedColumns, { table: 'data_keys' }, { table: 'oauth_keys' }]) {
    expect([
      table,
      ...(await texts(`SELECT qual LIKE '%flamegate.changes_keys%' AND roles = '{flamegate_owner}' FROM pg_policies
        WHERE tablename = '${table}' AND policyname = 'keys_changed'`)),
    ]).toEqual([table, true])
  }
  const owner = new Client(at.urls.ownerUrl)
  await owner.connect()
  await at.identity.dataKeys.current(null, () => Buffer.from('people'))
  expect((await owner.query('SELECT FROM data_keys')).rowCount).toBe(0)
  expect((await owner.query('DELETE FROM data_keys')).rowCount).toBe(0)
  await owner.end()
})

test('a workspace has one data key, whoever comes first, and it goes with the workspace', async () => {
  const eve = await at.signUp('eve')
  const found = await Promise.all(
    [1, 2, 3].map((each) => at.identity.dataKeys.current(eve.workspaceId, () => Buffer.from([each]))),
  )
  expect(new Set(found.map(({ id }) => id)).size).toBe(1)
  expect(new Set(found.map(({ key }) => key.toString('hex'))).size).toBe(1)
  const [{ id }] = [found[0] ?? { id: '' }]
  expect(await at.identity.dataKeys.find(id)).toEqual(found[0])
  expect((await at.identity.dataKeys.current(ada.workspaceId, () => Buffer.from('a'))).id).not.toBe(id)
  await at.admin.query(`DELETE FROM workspaces WHERE id = '${eve.workspaceId}'`)
  expect(await at.identity.dataKeys.find(id)).toBeUndefined()
})

test('operations cannot read data keys, wrapped as they are', async () => {
  const app = new Client(at.urls.appUrl)
  await app.connect()
  await expect(app.query('SELECT wrapped FROM data_keys')).rejects.toThrow(/permission denied/)
  await app.end()
})

test('with a master key, keys are stored wrapped by it, those of before are wrapped on demand, and all by a new one', async () => {
  const kept = () => texts(`SELECT secret::text FROM oauth_keys WHERE kind = 'audit'`)
  const inTheClear = { key: 'kept in the clear' }
  await at.identity.keys('audit', async () => inTheClear)
  expect(await kept()).toEqual([expect.stringContaining('clear..')])
  // As releases before wrote them.
  await at.admin.query(`UPDATE oauth_keys SET secret = '${JSON.stringify(inTheClear)}' WHERE kind = 'audit'`)
  const first = roomWith(masterKey('first'))
  expect(await first.identity.keys('audit', async () => ({}))).toEqual([inTheClear])

  expect(await first.rewrap('those in the clear')).toBeGreaterThan(1)
  expect(await first.rewrap('those in the clear')).toBe(0)
  const [stored] = await kept()
  expect(stored).toMatch(/^\{"wrapped": "local\.first\./)
  expect(await texts(`SELECT count(*)::int FROM data_keys WHERE wrapped NOT LIKE 'local.first.%'`)).toEqual([
    0,
  ])
  expect(await first.identity.keys('audit', async () => ({}))).toEqual([inTheClear])
  await expect(at.identity.keys('audit', async () => ({}))).rejects.toThrow('none is set here')

  const data = createStores(at.database, masterKey('first'))
  await data.identity.keys('cookie', async () => ({ key: 'new' }))
  await data.identity.addKey('cookie', { key: 'next' }, new Date())
  expect(await texts(`SELECT secret::text FROM oauth_keys WHERE kind = 'cookie'`)).toEqual([
    expect.stringMatching(/local\.first/),
    expect.stringMatching(/local\.first/),
  ])
  await data.close()

  const both: MasterKeys = { ...masterKey('any'), wrap: (...args) => masterKey('second').wrap(...args) }
  const second = roomWith(both)
  expect(await second.rewrap('all')).toBeGreaterThan(3)
  expect(await roomWith(masterKey('second')).identity.keys('audit', async () => ({}))).toEqual([inTheClear])
  await expect(first.identity.keys('audit', async () => ({}))).rejects.toThrow('second is not there')
})

const address = (id: string) => `https://example.com/${id}`

test('everything that is sealed is sealed anew, a row that changes meanwhile stays, and old keys go when nothing needs them', async () => {
  const room = roomWith(masterKey('any'))
  const { dataKeys } = room.identity
  let current = new Map<string | null, Promise<{ id: string }>>()
  const sealWith = async (plain: string, workspaceId: string | null) => {
    const found = current.get(workspaceId) ?? dataKeys.current(workspaceId, () => Buffer.from('k'))
    current.set(workspaceId, found)
    return `${(await found).id}.${plain}`
  }
  const webhook = {
    ...place,
    host: 'example.com',
    sealedUrl: 'common.address',
    events: ['run.completed' as const],
    isActive: true,
  }
  // More than a page, and all but one by the common key that there was before.
  const ids = Array.from({ length: 205 }, () => newId('webhook')).toSorted()
  const [first = ''] = ids
  await at.stores.webhooks.create(asAda(), { ...webhook, id: first, sealedSecret: `common.${first}` })
  // Of before addresses were sealed, all of them.
  await at.admin.query(`UPDATE webhooks SET url = $1, sealed_url = NULL WHERE id = $2`, [
    address(first),
    first,
  ])
  await at.admin.query(
    `INSERT INTO webhooks (workspace_id, id, project_id, host, url, events, sealed_secret, created_by)
      SELECT workspace_id, other, project_id, host, 'https://example.com/' || other, events, 'common.' || other,
        created_by
      FROM webhooks, unnest($1::text[]) AS other WHERE id = $2`,
    [ids.slice(1), first],
  )
  await at.stores.githubReports.set(asAda(), {
    ...place,
    sealedToken: await sealWith('token', ada.workspaceId),
    setsStatus: true,
    comments: false,
  })
  await at.identity.accounts.totp.begin(ada.userId, 'common.totp')
  const [spoilt = '', changing = ''] = ids
  const old = await dataKeys.current(ada.workspaceId, () => Buffer.from(''))
  await room.retireDataKeys()
  current = new Map()

  const told: unknown[] = []
  const outcome = await room.resealAll(async (sealed, of) => {
    const [, plain = ''] = sealed.split('.')
    if (plain === spoilt) throw new Error('It does not open')
    if (plain === changing)
      await at.stores.webhooks.update(asAda(), changing, {
        sealedSecret: await sealWith('changed', ada.workspaceId),
      })
    if (of.workspaceId === null || plain === 'token') told.push([plain, of.id, of.workspaceId])
    return sealWith(plain, of.workspaceId)
  })
  expect(outcome).toEqual({
    resealed: 203 + 2,
    unreadable: [`webhooks.sealed_secret of ${ada.workspaceId} ${spoilt}`],
  })
  expect(told).toEqual([
    ['token', projectId, ada.workspaceId],
    ['totp', ada.userId, null],
  ])
  const next = await dataKeys.current(ada.workspaceId, () => Buffer.from(''))
  expect(next.id).not.toBe(old.id)
  const stored = await at.stores.webhooks.list(asAda(), projectId)
  const secrets = new Map(stored.map(({ id, sealedSecret }) => [id, sealedSecret]))
  expect(secrets.get(spoilt)).toBe(`common.${spoilt}`)
  expect(secrets.get(changing)).toBe(`${next.id}.changed`)
  expect(ids.slice(2).map((id) => secrets.get(id))).toEqual(ids.slice(2).map((id) => `${next.id}.${id}`))
  expect(await at.stores.githubReports.find(asAda(), projectId)).toMatchObject({
    sealedToken: `${next.id}.token`,
  })

  // Addresses lie there in the clear still, and one is changed while they are sealed.
  const sealed = await room.sealPlain(async (plain, { id, workspaceId }) => {
    if (id === changing)
      await at.stores.webhooks.update(asAda(), changing, {
        address: { host: 'new.example.com', sealedUrl: await sealWith('new address', workspaceId) },
      })
    return sealWith(`${id}:${plain}`, workspaceId)
  })
  expect(sealed).toBe(ids.length - 1)
  const addressed = await at.stores.webhooks.list(asAda(), projectId)
  expect(addressed.filter(({ plainUrl }) => plainUrl !== null)).toEqual([])
  expect(addressed.map(({ id, sealedUrl }) => [id, sealedUrl])).toEqual(
    ids.map((id) => [id, `${next.id}.${id === changing ? 'new address' : `${id}:${address(id)}`}`]),
  )
  expect(await room.sealPlain(async (plain) => plain)).toBe(0)

  // A process that still knew the old key sealed with it.
  await at.stores.webhooks.update(asAda(), spoilt, { sealedSecret: `${old.id}.late` })
  expect(await room.removeUnusedDataKeys()).toBe(0)
  await at.admin.query(
    `UPDATE data_keys SET retired_at = now() - interval '2 hours' WHERE retired_at IS NOT NULL`,
  )
  await room.removeUnusedDataKeys()
  expect(await dataKeys.find(old.id)).toEqual(old)
  await at.stores.webhooks.remove(asAda(), spoilt)
  expect(await room.removeUnusedDataKeys()).toBe(1)
  expect(await dataKeys.find(old.id)).toBeUndefined()
  expect(await dataKeys.find(next.id)).toEqual(next)
})

/** Ends the connection of a room that waits for a lock. */
const breakConnection = () =>
  texts(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'flamegate keys' AND wait_event_type = 'Lock'`)

test('a connection that breaks is told to whoever uses it, and the next one is another', async () => {
  const room = roomWith(masterKey('one'))
  const blocker = new Client({ connectionString: at.urls.adminUrl })
  await blocker.connect()
  await blocker.query('BEGIN; LOCK TABLE oauth_keys')
  const asked = room.hasCommonKey().catch((error: unknown) => String(error))
  await expect.poll(breakConnection).toEqual([true])
  expect(await asked).toContain('terminating connection')
  await blocker.end()
  expect(await room.hasCommonKey()).toBe(false)
})
