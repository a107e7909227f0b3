import { newId } from '@flamegate/contract'
import type { AuditEvent } from '@flamegate/operations/ports'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { inSequence, prepareStores } from '../testing.ts'
import { auditWriter, type AuditWriter } from './audit-writer.ts'
import { hashOf, newChain, linkEvents } from './audit-chain.ts'
import { verifyAudit, type Anchor } from './verify-audit.ts'

const at = prepareStores()

const event = (change: Partial<AuditEvent> = {}): AuditEvent => ({
  id: newId('auditEvent'),
  workspaceId: null,
  userId: 'usr_1',
  via: 'oauth',
  clientId: 'claude',
  clientName: 'Cla\0ude',
  operation: 'create_project',
  effect: 'write',
  target: 'prj_1',
  argumentsDigest: 'ab'.repeat(32),
  decision: 'allowed',
  outcome: 'ok',
  status: 201,
  durationMs: 1 / 3,
  answerBytes: 120,
  requestId: 'req_1',
  traceId: null,
  ip: '127.0.0.1',
  userAgent: null,
  at: new Date(),
  ...change,
})

/** As whoever owns the database and wants to change what was written: above triggers and row-level security. */
async function tamper(text: string, values: unknown[] = []): Promise<void> {
  await at.admin.query('SET session_replication_role = replica')
  await at.admin.query(text, values)
  await at.admin.query('SET session_replication_role = origin')
}

/** Puts a row into the table as it is; with a hash that fits when it has none. */
async function forge(
  forged: AuditEvent,
  link: { writerId: string; sequence: number; previousHash: string; hash: string },
) {
  const hash = link.hash === '' ? hashOf(forged, link) : link.hash
  await tamper(
    `INSERT INTO audit_events (id, user_id, via, client_id, client_name, operation, effect, target, arguments_digest,
        decision, outcome, status, duration_ms, answer_bytes, request_id, ip, at, writer_id, sequence, previous_hash, hash)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21)`,
    [
      forged.id,
      forged.userId,
      forged.via,
      forged.clientId,
      forged.clientName,
      forged.operation,
      forged.effect,
      forged.target,
      forged.argumentsDigest,
      forged.decision,
      forged.outcome,
      forged.status,
      forged.durationMs,
      forged.answerBytes,
      forged.requestId,
      forged.ip,
      forged.at,
      link.writerId,
      link.sequence,
      link.previousHash,
      hash,
    ],
  )
}

const verify = (kept: Anchor[] = []) => verifyAudit(at.urls.ownerUrl, kept)

describe('a chain of six events', () => {
  let writer: AuditWriter
  let ids: string[]
  let writerId: string

  beforeEach(async () => {
    writer = auditWriter(at.database)
    const events = Array.from({ length: 6 }, (_, index) =>
      event(index % 2 === 0 ? {} : { effect: 'read', operation: 'get_run' }),
    )
    await inSequence(events, (each) => writer.record(each))
    await writer.close()
    const { rows } = await at.admin.query<{ id: string; writer_id: string }>(
      'SELECT id, writer_id FROM audit_events ORDER BY sequence',
    )
    ids = rows.map(({ id }) => id)
    writerId = rows[0]?.writer_id ?? ''
  })
  afterEach(() => tamper('TRUNCATE audit_events, audit_anchors'))

  test('is whole', async () => {
    expect(await verify()).toEqual({ chains: 1, events: 6, unlinked: 0, breaks: [] })
  })

  test.each([
    ['user_id', "'usr_2'"],
    ['workspace_id', "'ws_2'"],
    ['client_id', "'other'"],
    ['operation', "'get_run'"],
    ['target', 'NULL'],
    ['arguments_digest', 'NULL'],
    ['decision', "'refused'"],
    ['outcome', "'conflict'"],
    ['status', '200'],
    ['duration_ms', 'duration_ms + 0.1'],
    ['answer_bytes', '0'],
    ['trace_id', "'trace'"],
    ['ip', "'10.0.0.1'"],
    ['at', "at + interval '1 millisecond'"],
    ['previous_hash', "repeat('0', 64)"],
    ['hash', "repeat('0', 64)"],
  ])('shows that %s was changed, and in which event', async (column, value) => {
    await tamper(`UPDATE audit_events SET ${column} = ${value} WHERE id = $1`, [ids[2]])
    const { breaks } = await verify()
    expect(breaks).toMatchObject([{ writerId, sequence: 3, eventId: ids[2], what: 'changed' }])
  })

  test.each([
    ['first', 1],
    ['middle', 3],
    ['last', 6],
  ])('shows that the %s event was removed', async (_which, sequence) => {
    await tamper('DELETE FROM audit_events WHERE sequence = $1', [sequence])
    const { breaks } = await verify()
    expect(breaks).toMatchObject([{ writerId, sequence, eventId: undefined, what: 'missing' }])
  })

  test('shows that all of it was removed', async () => {
    await tamper('DELETE FROM audit_events')
    expect((await verify()).breaks).toMatchObject([{ writerId, sequence: 1, what: 'missing' }])
  })

  test('shows that events changed places', async () => {
    await tamper('UPDATE audit_events SET sequence = 100 WHERE sequence = 3')
    await tamper('UPDATE audit_events SET sequence = 3 WHERE sequence = 4')
    await tamper('UPDATE audit_events SET sequence = 4 WHERE sequence = 100')
    const { breaks } = await verify()
    expect(breaks).toMatchObject([{ sequence: 3, eventId: ids[3], what: 'moved' }])
    expect(breaks[0]?.detail).toContain('number 4')
  })

  test('shows an event that was put in between, however well its own hash is made', async () => {
    await tamper('UPDATE audit_events SET sequence = 100 + sequence WHERE sequence > 2')
    await tamper('UPDATE audit_events SET sequence = sequence - 99 WHERE sequence > 100')
    const place = { writerId, sequence: 3, previousHash: 'f'.repeat(64) }
    await forge(event({ clientName: 'Claude' }), { ...place, hash: '' })
    expect((await verify()).breaks).toMatchObject([{ sequence: 3, what: 'inserted' }])
  })

  test('shows a well-made event that was put behind its end', async () => {
    const { rows } = await at.admin.query<{ hash: string }>(
      'SELECT hash FROM audit_events WHERE sequence = 6',
    )
    await forge(event({ clientName: 'Claude' }), {
      writerId,
      sequence: 7,
      previousHash: rows[0]?.hash ?? '',
      hash: '',
    })
    expect((await verify()).breaks).toMatchObject([{ sequence: 7, what: 'inserted' }])
  })

  test('shows that it was made anew as a whole, when anchors were kept elsewhere', async () => {
    const { rows: kept } = await at.admin.query<Anchor>(
      'SELECT writer_id AS "writerId", sequence::int, hash, is_last AS "isLast" FROM audit_anchors',
    )
    await tamper('TRUNCATE audit_events, audit_anchors')
    const forged = linkEvents(
      newChain(writerId),
      Array.from({ length: 6 }, () => event({ clientName: 'Claude' })),
    )
    await inSequence(forged, ({ link, ...each }) => forge(each, link))
    expect((await verify()).breaks).toEqual([])
    expect((await verify(kept)).breaks).toMatchObject([{ sequence: 6, what: 'changed' }])
  })

  test('can be verified from an anchor on, when older events were dropped', async () => {
    await tamper(
      `INSERT INTO audit_anchors (writer_id, sequence, hash, is_last)
        SELECT writer_id, sequence, hash, false FROM audit_events WHERE sequence = 3`,
    )
    await tamper('DELETE FROM audit_events WHERE sequence <= 3')
    expect((await verify()).breaks).toEqual([])
    await tamper('DELETE FROM audit_events WHERE sequence = 4')
    expect((await verify()).breaks).toMatchObject([{ sequence: 4, what: 'missing' }])
  })

  test('is not mended by removing the link of an event', async () => {
    await tamper('ALTER TABLE audit_events DROP CONSTRAINT audit_events_link_check')
    await tamper('UPDATE audit_events SET writer_id = NULL WHERE sequence = 6')
    const { breaks } = await verify()
    expect(breaks.map(({ what }) => what).toSorted()).toEqual(['inserted', 'missing'])
  })
})

test('nobody changes or removes a row, not even the owner of the tables', async () => {
  for (const table of ['audit_events', 'audit_anchors']) {
    for (const statement of [`UPDATE ${table} SET hash = ''`, `DELETE FROM ${table}`, `TRUNCATE ${table}`]) {
      await expect(at.admin.query(statement)).rejects.toThrow('only grows')
    }
  }
})
