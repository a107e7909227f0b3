import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate } from './migrate.ts'
import { migrationsBefore } from './migrations-before.ts'
import { emptyDatabase } from './testing.ts'

const migration = '20261121150200_oauth_last_edges'
let earlier = ''

beforeAll(async () => {
  earlier = await migrationsBefore(migration)
})
afterAll(() => rm(earlier, { recursive: true, force: true }))

test('secrets of clients from before are kept as hashes, and nothing else changes', async () => {
  const { adminUrl, ownerUrl } = await emptyDatabase()
  await migrate(ownerUrl, earlier)
  const admin = new Client(adminUrl)
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
