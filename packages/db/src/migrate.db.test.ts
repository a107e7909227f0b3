import { createHash } from 'node:crypto'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { migrate, MigrationError, migrationsFolder, readMigrations } from './migrate.ts'
import { bootstrapRoles, roleUrl } from './roles.ts'
import { startTestServer, type TestServer } from './test-server.ts'

const passwords = { owner: "it's \\ secret", app: 'app', auth: 'auth', queue: 'queue' }

let server: TestServer
let folder: string
let ownerUrl: string
let client: Client
let count = 0

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server?.stop())

beforeEach(async () => {
  count += 1
  const database = `empty_${count}`
  await bootstrapRoles(server.adminUrl, passwords, database)
  ownerUrl = roleUrl(server.adminUrl, 'owner', passwords.owner, database)
  folder = await mkdtemp(path.join(tmpdir(), 'flamegate-migrations-'))
  client = new Client(ownerUrl)
  await client.connect()
})
afterEach(async () => {
  await client.end()
  await rm(folder, { recursive: true })
})

test('applies what is missing, in order, once', async () => {
  await write('20260101000000_first', 'CREATE TABLE first (id int)')
  await write('20260102000000_second', 'ALTER TABLE first ADD name text; INSERT INTO first VALUES (1)')
  expect(await migrate(ownerUrl, folder)).toEqual(['20260101000000_first', '20260102000000_second'])
  expect(await migrate(ownerUrl, folder)).toEqual([])
  await write('20260103000000_third', 'DROP TABLE first')
  expect(await migrate(ownerUrl, folder)).toEqual(['20260103000000_third'])
})

test("keeps Prisma Migrate's table as its own tools would", async () => {
  const text = 'CREATE TABLE first (id int);\n'
  await write('20260101000000_first', text)
  await migrate(ownerUrl, folder)
  const { rows } = await client.query('SELECT * FROM _prisma_migrations')
  expect(rows).toEqual([
    {
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      checksum: createHash('sha256').update(text).digest('hex'),
      migration_name: '20260101000000_first',
      started_at: expect.any(Date),
      finished_at: expect.any(Date),
      rolled_back_at: null,
      logs: null,
      applied_steps_count: 1,
    },
  ])
})

test('of several processes at once, one migrates and the others wait', async () => {
  await write('20260101000000_first', 'SELECT pg_sleep(0.2); CREATE TABLE first (id int)')
  const applied = await Promise.all(Array.from({ length: 4 }, () => migrate(ownerUrl, folder)))
  expect(applied.flat()).toEqual(['20260101000000_first'])
})

test('refuses to go on when an applied migration was edited', async () => {
  await write('20260101000000_first', 'CREATE TABLE first (id int)')
  await migrate(ownerUrl, folder)
  await write('20260101000000_first', 'CREATE TABLE first (id bigint)')
  await write('20260102000000_second', 'CREATE TABLE second (id int)')
  await expect(migrate(ownerUrl, folder)).rejects.toThrow(
    /^Edited after it was applied: 20260101000000_first\./,
  )
  const { rows } = await client.query("SELECT to_regclass('second') AS second")
  expect(rows).toEqual([{ second: null }])
})

test('a migration that fails leaves nothing, says where, and is tried again when it is mended', async () => {
  await write('20260101000000_first', 'CREATE TABLE first (id int);\nCREATE TABLE first (id int)')
  const failure = migrate(ownerUrl, folder)
  await expect(failure).rejects.toThrow(MigrationError)
  await expect(failure).rejects.toThrow(/20260101000000_first failed.*already exists/)
  const { rows } = await client.query(
    `SELECT to_regclass('first') AS first, logs, finished_at, rolled_back_at IS NOT NULL AS rolled_back,
      applied_steps_count FROM _prisma_migrations`,
  )
  expect(rows).toEqual([
    {
      first: null,
      logs: expect.stringContaining('already exists'),
      finished_at: null,
      rolled_back: true,
      applied_steps_count: 0,
    },
  ])
  await write('20260101000000_first', 'CREATE TABLE first (id int)')
  expect(await migrate(ownerUrl, folder)).toEqual(['20260101000000_first'])
})

test('names the line where the server tells it', async () => {
  await write('20260101000000_first', 'CREATE TABLE first (id int);\n\nSELECT nonsense')
  await expect(migrate(ownerUrl, folder)).rejects.toThrow('column "nonsense" does not exist (line 3)')
})

test('stops at a migration that another tool left half done', async () => {
  await write('20260101000000_first', 'CREATE TABLE first (id int)')
  await migrate(ownerUrl, folder)
  await client.query('UPDATE _prisma_migrations SET finished_at = NULL')
  await expect(migrate(ownerUrl, folder)).rejects.toThrow('"prisma migrate resolve"')
})

test('refuses the database of a newer version, names what it does not know, and changes nothing', async () => {
  await write('20260101000000_first', 'CREATE TABLE first (id int)')
  await write('20260102000000_newer', 'CREATE TABLE newer (id int)')
  await migrate(ownerUrl, folder)
  await rm(path.join(folder, '20260102000000_newer'), { recursive: true })
  await write('20260103000000_other', 'DROP TABLE first')
  await expect(migrate(ownerUrl, folder)).rejects.toThrow(
    /^The database is of a newer version .* does not know 20260102000000_newer\. Nothing was changed\./,
  )
  const { rows } = await client.query("SELECT to_regclass('first') AS first")
  expect(rows).toEqual([{ first: 'first' }])
})

test('our own migrations are named by time and apply to an empty database', async () => {
  const names = (await readMigrations()).map(({ name }) => name)
  expect(names.filter((name) => !/^\d{14}_[a-z_]+$/.test(name))).toEqual([])
  expect(await migrate(ownerUrl)).toEqual(names)
  expect(await migrate(ownerUrl)).toEqual([])
})

test('clients that registered before there was a list of them are in it, and count as registered today', async () => {
  const [first] = await readMigrations()
  await cp(path.join(migrationsFolder, first?.name ?? ''), path.join(folder, first?.name ?? ''), {
    recursive: true,
  })
  await migrate(ownerUrl, folder)
  const auth = new Client(roleUrl(server.adminUrl, 'auth', passwords.auth, `empty_${count}`))
  await auth.connect()
  const redirects = ['http://127.0.0.1:5000/callback', 'http://127.0.0.1:5000/', 'cursor://app/oauth']
  const metadata = { client_name: 'Old', client_id_issued_at: 1_700_000_000, redirect_uris: redirects }
  await auth.query(`INSERT INTO oauth_records (model, id, payload) VALUES ('Client', 'old', $1)`, [metadata])
  await auth.query(`INSERT INTO oauth_records (model, id, payload) VALUES ('Client', 'bare', '{}')`)
  await auth.query(`INSERT INTO oauth_grants (grant_id, user_id, client_id, client_name, scopes, last_used_at)
    VALUES ('grant', 'usr_ada', 'old', 'Old', '{read}', now())`)
  await migrate(ownerUrl)
  const { rows } = await auth.query(
    "SELECT *, registered_at > now() - interval '1 minute' AS is_new FROM oauth_clients ORDER BY client_id",
  )
  await auth.end()
  expect(rows).toMatchObject([
    { client_id: 'bare', name: 'bare', redirect_hosts: [], last_used_at: null, is_new: true },
    {
      client_id: 'old',
      kind: 'registered',
      name: 'Old',
      redirect_hosts: expect.arrayContaining(['127.0.0.1:5000', 'cursor:']),
      created_at: new Date(1_700_000_000_000),
      last_used_at: expect.any(Date),
      is_new: true,
    },
  ])
})

test('bootstrapRoles() can be run again, and sets the passwords anew', async () => {
  await bootstrapRoles(server.adminUrl, { ...passwords, app: 'changed' }, `empty_${count}`)
  const changed = new Client(roleUrl(server.adminUrl, 'app', 'changed', `empty_${count}`))
  await changed.connect()
  await changed.end()
  const old = new Client(roleUrl(server.adminUrl, 'app', passwords.app, `empty_${count}`))
  await expect(old.connect()).rejects.toThrow('password authentication failed')
})

async function write(name: string, text: string): Promise<void> {
  await mkdir(path.join(folder, name), { recursive: true })
  await writeFile(path.join(folder, name, 'migration.sql'), text)
}
