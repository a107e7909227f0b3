import { rm } from 'node:fs/promises'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate } from '../migrate.ts'
import { migrationsBefore } from '../migrations-before.ts'
import { emptyDatabase } from '../testing.ts'
import { verifyAudit } from './verify-audit.ts'

const chainMigration = '20261121120400_audit_chain'
let earlier = ''

beforeAll(async () => {
  earlier = await migrationsBefore(chainMigration)
})
afterAll(() => rm(earlier, { recursive: true, force: true }))

test('events from before the chains stay, with their decision, and are counted', async () => {
  const { adminUrl, ownerUrl } = await emptyDatabase()
  await migrate(ownerUrl, earlier)
  const admin = new Client(adminUrl)
  await admin.connect()
  try {
    await admin.query(`
      INSERT INTO audit_events (id, user_id, via, client_id, client_name, operation, effect, outcome, status,
          duration_ms, request_id, ip)
        SELECT 'aud_' || outcome, 'usr_a', 'oauth', 'c', 'C', 'get_run', 'read', outcome, status, 1, 'r', '::1'
        FROM (VALUES ('ok', 200), ('not_found', 404), ('insufficient_role', 403)) AS ended (outcome, status)`)
    expect(await migrate(ownerUrl)).toContain(chainMigration)

    const { rows } = await admin.query('SELECT outcome, decision FROM audit_events ORDER BY outcome')
    expect(rows).toEqual([
      { outcome: 'insufficient_role', decision: 'refused' },
      { outcome: 'not_found', decision: 'allowed' },
      { outcome: 'ok', decision: 'allowed' },
    ])
    expect(await verifyAudit(ownerUrl)).toEqual({ chains: 0, events: 0, unlinked: 3, breaks: [] })

    await admin.query("SET session_replication_role = replica; DELETE FROM audit_events WHERE outcome = 'ok'")
    expect((await verifyAudit(ownerUrl)).breaks).toMatchObject([{ writerId: '', what: 'missing' }])
  } finally {
    await admin.end()
  }
})
