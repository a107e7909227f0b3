import { setTimeout as wait } from 'node:timers/promises'
import { newId } from '@flamegate/contract'
import { NotRecorded, type AuditEvent } from '@flamegate/operations/ports'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Database } from '../database.ts'
import { prepareStores } from '../testing.ts'
import { auditWriter, type AuditWriterOptions } from './audit-writer.ts'
import { verifyAudit } from './verify-audit.ts'

const at = prepareStores()

beforeEach(async () => {
  await tamper('TRUNCATE audit_events, audit_anchors')
})

/** Above triggers and row-level security. */
const tamper = (text: string) =>
  at.admin.query(`SET session_replication_role = replica; ${text}; SET session_replication_role = origin`)

const event = (effect: 'read' | 'write'): AuditEvent => ({
  id: newId('auditEvent'),
  workspaceId: null,
  userId: 'usr_1',
  via: 'oauth',
  clientId: 'claude',
  clientName: 'Claude',
  operation: 'create_project',
  effect,
  target: null,
  argumentsDigest: null,
  decision: 'allowed',
  outcome: 'ok',
  status: 201,
  durationMs: 1,
  answerBytes: 0,
  requestId: 'req_1',
  traceId: null,
  ip: '127.0.0.1',
  userAgent: null,
  at: new Date(),
})

/** A database that does to each insertion of events what the test says, and keeps the log. */
function opened(options: AuditWriterOptions = {}) {
  const says: { beforeInsert: () => unknown; afterInsert: () => unknown } = {
    beforeInsert: () => undefined,
    afterInsert: () => undefined,
  }
  const log: string[] = []
  const database: Database = {
    ...at.database,
    log: { info: (_, message) => void log.push(message), error: (_, message) => void log.push(message) },
    async inScope(scope, work) {
      await says.beforeInsert()
      const result = await at.database.inScope(scope, work)
      await says.afterInsert()
      return result
    },
  }
  return { says, log, writer: auditWriter(database, { gatherMs: 20, ...options }) }
}

const storedIds = async () =>
  (await at.admin.query<{ id: string }>('SELECT id FROM audit_events ORDER BY sequence')).rows.map(
    ({ id }) => id,
  )
const anchors = async () =>
  (await at.admin.query('SELECT sequence::int, is_last FROM audit_anchors ORDER BY sequence, is_last')).rows
const breaks = async () => (await verifyAudit(at.urls.ownerUrl)).breaks
const away = () => {
  throw new Error('The database is away')
}

describe('the audit writer', () => {
  test('keeps the order in which calls ended: a write takes the reads before it along', async () => {
    const { writer } = opened({ gatherMs: 60_000 })
    const events = [event('read'), event('read'), event('write'), event('read')]
    await Promise.all(events.map((each) => writer.record(each)))
    expect(await storedIds()).toEqual(events.slice(0, 3).map(({ id }) => id))
    await writer.close()
    expect(await storedIds()).toEqual(events.map(({ id }) => id))
    expect(await breaks()).toEqual([])
  })

  test('writes that come at the same time share statements, and each is stored when record() resolves', async () => {
    const { says, writer } = opened()
    const resolved: string[] = []
    const storedTooLate: string[] = []
    let statements = 0
    says.beforeInsert = async () => {
      statements += 1
      const stored = new Set(await storedIds())
      storedTooLate.push(...resolved.filter((id) => !stored.has(id)))
    }
    const events = Array.from({ length: 200 }, () => event('write'))
    await Promise.all(
      events.map(async (each) => {
        await writer.record(each)
        resolved.push(each.id)
      }),
    )
    expect(storedTooLate).toEqual([])
    expect(await storedIds()).toHaveLength(200)
    expect(statements).toBeLessThan(10)
    await writer.close()
    expect(await breaks()).toEqual([])
  })

  test('loses nothing to a database that is away for a while', async () => {
    const { says, log, writer } = opened()
    says.beforeInsert = away
    const events = [event('read'), event('write'), event('read')]
    const recorded = Promise.all(events.map((each) => writer.record(each)))
    await expect.poll(() => log).toContainEqual(expect.stringContaining('3 wait'))
    says.beforeInsert = () => undefined
    await recorded
    await writer.close()
    expect(await storedIds()).toEqual(events.map(({ id }) => id))
    expect(await breaks()).toEqual([])
  })

  test('stores nothing twice when only the answer of the database was lost', async () => {
    const { says, writer } = opened()
    says.afterInsert = away
    const first = event('write')
    const recorded = writer.record(first)
    await expect.poll(storedIds).toEqual([first.id])
    says.afterInsert = () => undefined
    await recorded
    await writer.record(event('write'))
    await writer.close()
    expect(await storedIds()).toHaveLength(2)
    expect(await breaks()).toEqual([])
  })

  test('says that a write was not recorded in time, and records it later', async () => {
    const { says, writer } = opened({ patienceMs: 30 })
    says.beforeInsert = away
    const late = event('write')
    await expect(writer.record(late)).rejects.toThrow(NotRecorded)
    says.beforeInsert = () => undefined
    await expect.poll(storedIds).toEqual([late.id])
    await writer.close()
  })

  test('is full when too much waits, and not any more when it was stored', async () => {
    const { says, writer } = opened({ mostWaiting: 10 })
    says.beforeInsert = away
    for (let read = 0; read < 9; read += 1) await writer.record(event('read'))
    expect(writer.isFull()).toBe(false)
    await writer.record(event('read'))
    expect(writer.isFull()).toBe(true)
    says.beforeInsert = () => undefined
    await expect.poll(() => writer.isFull()).toBe(false)
    await writer.close()
    expect(await storedIds()).toHaveLength(10)
  })

  test('anchors its chain as it grows and when it ends, in the database and in the log', async () => {
    const { log, writer } = opened({ anchorEveryMs: 20 })
    await writer.record(event('write'))
    await expect.poll(anchors).toEqual([{ sequence: 1, is_last: false }])
    await writer.record(event('write'))
    await expect.poll(anchors).toHaveLength(2)
    await writer.close()
    expect(await anchors()).toEqual([
      { sequence: 1, is_last: false },
      { sequence: 2, is_last: false },
      { sequence: 2, is_last: true },
    ])
    expect(log).toEqual(['audit anchor', 'audit anchor', 'audit anchor'])
  })

  test('anchors a place once, however long the database takes', async () => {
    const { says, log, writer } = opened({ anchorEveryMs: 5 })
    await writer.record(event('write'))
    says.afterInsert = () => wait(60)
    await expect.poll(anchors).toEqual([{ sequence: 1, is_last: false }])
    await wait(60)
    says.afterInsert = () => undefined
    await writer.close()
    expect(await anchors()).toEqual([
      { sequence: 1, is_last: false },
      { sequence: 1, is_last: true },
    ])
    expect(log).toEqual(['audit anchor', 'audit anchor'])
  })

  test('goes on in a chain of its own when somebody wrote into its place, which then shows', async () => {
    const { writer } = opened()
    await writer.record(event('write'))
    await tamper(
      `INSERT INTO audit_events SELECT (event).* FROM (SELECT jsonb_populate_record(audit_events,
        '{"id": "aud_forged", "sequence": 2}') AS event FROM audit_events)`,
    )
    const next = event('write')
    await writer.record(next)
    await writer.close()
    const { rows } = await at.admin.query('SELECT sequence::int FROM audit_events WHERE id = $1', [next.id])
    expect(rows).toEqual([{ sequence: 1 }])
    expect(await breaks()).toMatchObject([{ sequence: 2, eventId: 'aud_forged', what: 'changed' }])
  })
})
