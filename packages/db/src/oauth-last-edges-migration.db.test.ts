import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate } from './migrate.ts'
import { migrationsBefore } from './migrations-before.ts'
import { bootstrapRoles, roleUrl } from './roles.ts'
import { startTestServer, type TestServer } from './testing.ts'

const migration = '20261121150200_oauth_last_edges'
let server: TestServer
let earlier = ''

beforeAll(async () => {
  server = await startTestServer()
  earlier = await migrationsBefore(migration)
})
afterAll(async () => {
  await server?.stop()
  await rm(earlier, { recursive: true, force: true })
})

test('secrets of clients from before are kept as hashes, and nothing else changes', async () => {
  const passwords = { owner: 'owner', app: 'app', auth: 'auth', queue: 'queue' }
  await bootstrapRoles(server.adminUrl, passwords, 'older')
  const ownerUrl = roleUrl(server.adminUrl, 'owner', passwords.owner, 'older')
  await migrate(ownerUrl, earlier)
  const admin = new Client(server.adminUrl.replace(/postgres$/, 'older'))
  await admin.connect()
  try {
    await admin.query(`
      INSERT INTO oauth_records (model, id, payload) VALUES
        ('Client', 'confidential', '{"client_name": "A", "client_secret": "in clear"}'),
        ('Client', 'public', '{"client_name": "B"}'),
        ('Session', 'other', '{"client_secret": "no client"}')`)
    expect(await migrate(ownerUrl)).toContain(migration)
    const { rows } = await admin.query('SELECT id, payload FROM oauth_records ORDER BY id')
    const hash = createHash('sha256').update('in clear').digest('hex')
    expect(rows).toEqual([
      { id: 'confidential', payload: { client_name: 'A', client_secret: `sha256:${hash}` } },
      { id: 'other', payload: { client_secret: 'no client' } },
      { id: 'public', payload: { client_name: 'B' } },
    ])
    const forced = await admin.query(
      "SELECT relforcerowsecurity AS forced FROM pg_class WHERE relname IN ('oauth_records', 'oauth_grants')",
    )
    expect(forced.rows).toEqual([{ forced: true }, { forced: true }])
  } finally {
    await admin.end()
  }
})
