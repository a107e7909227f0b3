import { NotRecorded, type SecurityEvent } from '@flamegate/operations/ports'
import { Client } from 'pg'
import { describe, expect, test, vi } from 'vitest'
import { preparePeople } from '../testing.ts'
import { securityLog } from './security-log.ts'
import { verifyAudit } from './verify-audit.ts'

const { at, ada, bob, asAda } = preparePeople({ access: 'admin' })

const event = (change: Partial<SecurityEvent> = {}): SecurityEvent => ({
  action: 'log_in',
  userId: ada.userId,
  outcome: 'ok',
  status: 200,
  requestId: 'req_1',
  ip: '192.0.2.7',
  userAgent: 'Firefox',
  ...change,
})

const listed = async (user?: string, filter = {}) => {
  const events = await at.stores.securityEvents.search(user, { limit: 100 }, filter)
  return events.map(({ operation, outcome, userEmail }) => [operation, outcome, userEmail])
}

/** What admins of Ada's workspace see in its log. */
const inWorkspace = async () => {
  const events = await at.stores.audit.search(asAda(), ada.workspaceId, { limit: 100 }, {})
  return events.map(({ operation }) => operation)
}

describe('security events', () => {
  test('are there when they were done, of each person and of everybody, newest first', async () => {
    await at.identity.securityLog.record(event())
    await at.identity.securityLog.record(event({ userId: bob.userId, action: 'log_out' }))
    expect(await listed(ada.userId)).toEqual([['log_in', 'ok', 'ada@example.com']])
    expect(await listed('Bob@example.com')).toEqual([['log_out', 'ok', 'bob@example.com']])
    expect(await listed()).toEqual([
      ['log_out', 'ok', 'bob@example.com'],
      ['log_in', 'ok', 'ada@example.com'],
    ])
    expect(await listed(undefined, { operation: 'log_in' })).toHaveLength(1)
  })

  test('that find no room any more are not taken, so that they cannot fill the memory', async () => {
    const away = { ...at.database, asAuth: () => Promise.reject(new Error('away')) }
    const log = securityLog(away, { mostWaiting: 2, gatherMs: 60_000 })
    const refused = event({ outcome: 'wrong_password', status: 401 })
    await log.record(refused)
    await log.record(refused)
    await expect(log.record(refused)).rejects.toThrow(NotRecorded)
  })

  test('that were refused are there within a second, also of nobody that is known', async () => {
    await at.identity.securityLog.record(event({ userId: undefined, outcome: 'wrong_password', status: 401 }))
    expect(await listed(undefined, { outcome: 'wrong_password' })).toEqual([])
    await vi.waitFor(
      async () =>
        expect(await listed(undefined, { outcome: 'wrong_password' })).toEqual([
          ['log_in', 'wrong_password', null],
        ]),
      { timeout: 1_000 },
    )
  })

  test('are seen by admins of a workspace only when they name it', async () => {
    expect(await inWorkspace()).toEqual([])
    const client = { id: 'claude', name: 'Claude' }
    const consent = event({ action: 'allow_client', client, userId: bob.userId })
    await at.identity.securityLog.record({ ...consent, workspaceId: ada.workspaceId })
    await at.identity.securityLog.record({ ...consent, workspaceId: bob.workspaceId })
    expect(await inWorkspace()).toEqual(['allow_client'])
  })

  test('are all that the role of the sign-in pages can read and add', async () => {
    const auth = new Client(at.urls.authUrl)
    const admin = new Client(at.urls.adminUrl)
    await Promise.all([auth.connect(), admin.connect()])
    await admin.query(`INSERT INTO audit_events SELECT (jsonb_populate_record(e, jsonb_build_object(
      'id', 'call', 'effect', 'read', 'operation', 'get_run', 'sequence', 1000))).* FROM audit_events e LIMIT 1`)
    const { rows } = await auth.query('SELECT DISTINCT effect FROM audit_events')
    expect(rows).toEqual([{ effect: 'security' }])
    await expect(
      auth.query(`INSERT INTO audit_events SELECT (jsonb_populate_record(e, '{"id": "x", "effect": "write"}')).*
        FROM audit_events e LIMIT 1`),
    ).rejects.toThrow('row-level security')
    await expect(auth.query('UPDATE audit_events SET user_id = user_id')).rejects.toThrow('permission denied')
    await admin.query(`SET session_replication_role = replica; DELETE FROM audit_events WHERE id = 'call'`)
    await Promise.all([auth.end(), admin.end()])
  })

  test('are verified with everything else, browser and all', async () => {
    expect(await verifyAudit(at.urls.ownerUrl)).toMatchObject({ events: 5, breaks: [] })
    const admin = new Client(at.urls.adminUrl)
    await admin.connect()
    await admin.query(`SET session_replication_role = replica;
      UPDATE audit_events SET user_agent = 'Chrome' WHERE operation = 'log_out'`)
    await admin.end()
    expect(await verifyAudit(at.urls.ownerUrl)).toMatchObject({ breaks: [{ what: 'changed' }] })
  })
})
