import { rm } from 'node:fs/promises'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate } from './migrate.ts'
import { migrationsBefore } from './migrations-before.ts'
import { emptyDatabase } from './testing.ts'

const migration = '20261201170000_webhook_addresses'
let earlier = ''

beforeAll(async () => {
  earlier = await migrationsBefore(migration)
})
afterAll(() => rm(earlier, { recursive: true, force: true }))

test('addresses from before stay until they are sealed, with their host beside them; plans keep what there is', async () => {
  const { adminUrl, ownerUrl } = await emptyDatabase()
  await migrate(ownerUrl, earlier)
  const admin = new Client(adminUrl)
  await admin.connect()
  try {
    await admin.query(`
      INSERT INTO workspaces (id, slug, name) VALUES ('ws_a', 'a', 'A');
      INSERT INTO projects (workspace_id, id, slug, name) VALUES ('ws_a', 'prj_a', 'a', 'A');
      INSERT INTO webhooks (workspace_id, id, project_id, url, events, sealed_secret, created_by)
        VALUES ('ws_a', 'whk_a', 'prj_a', 'HTTPS://Hooks.example.com:8443/T01?key=1', '{}', '', 'usr_a'),
          ('ws_a', 'whk_b', 'prj_a', 'https:hooks.example.com', '{}', '', 'usr_a');
      INSERT INTO notifications (workspace_id, id, name, channel, target, events, filter, created_by)
        VALUES ('ws_a', 'ntf_a', 'A', 'http', '{"url": "https://hooks.example.com/T01"}', '{}', '{}', 'usr_a'),
          ('ws_a', 'ntf_b', 'B', 'email', '{"addresses": []}', '{}', '{}', 'usr_a');
      INSERT INTO plans (id, title, position, limits)
        SELECT 'ours', 'Ours', 9, limits FROM plans WHERE id = 'free';
    `)
    expect(await migrate(ownerUrl)).toContain(migration)
    const webhooks = await admin.query('SELECT host, url, sealed_url FROM webhooks ORDER BY id')
    expect(webhooks.rows).toEqual([
      {
        host: 'hooks.example.com:8443',
        url: 'HTTPS://Hooks.example.com:8443/T01?key=1',
        sealed_url: null,
      },
      { host: '', url: 'https:hooks.example.com', sealed_url: null },
    ])
    const notifications = await admin.query('SELECT target, sealed_url FROM notifications ORDER BY id')
    expect(notifications.rows).toEqual([
      { target: { url: 'https://hooks.example.com/T01', host: 'hooks.example.com' }, sealed_url: null },
      { target: { addresses: [] }, sealed_url: null },
    ])
    const plans = await admin.query(
      `SELECT id, limits #> '{retention_days,mcp_sessions}' AS sessions,
          limits #> '{retention_days,live_recordings}' AS recordings, limits #> '{retention_days,runs}' AS runs
        FROM plans ORDER BY position`,
    )
    expect(plans.rows).toEqual([
      { id: 'free', sessions: 365, recordings: 365, runs: 730 },
      { id: 'team', sessions: 1095, recordings: 1095, runs: 1825 },
      { id: 'enterprise', sessions: null, recordings: null, runs: null },
      { id: 'ours', sessions: null, recordings: null, runs: 730 },
    ])
    const open = await admin.query(
      `SELECT relname FROM pg_class
        WHERE relname IN ('webhooks', 'notifications', 'plans') AND NOT relforcerowsecurity`,
    )
    expect(open.rows).toEqual([])
  } finally {
    await admin.end()
  }
})
