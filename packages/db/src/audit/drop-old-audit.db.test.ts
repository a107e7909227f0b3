import { newId } from '@flamegate/contract'
import { NotPermitted, type AuditEvent } from '@flamegate/operations/ports'
import { Client } from 'pg'
import { expect, test } from 'vitest'
import { inSequence, preparePeople } from '../testing.ts'
import { linkEvents, newChain } from './audit-chain.ts'
import { insertAnchor, insertEvents } from './audit-rows.ts'
import { dropOldAudit } from './drop-old-audit.ts'
import { verifyAudit } from './verify-audit.ts'

const { at, ada } = preparePeople()
const { workspaceId } = ada

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)
const event = (days: number): AuditEvent => ({
  id: newId('auditEvent'),
  workspaceId,
  userId: 'usr_1',
  via: 'oauth',
  clientId: 'claude',
  clientName: 'Claude',
  operation: 'create_project',
  effect: 'write',
  target: null,
  argumentsDigest: null,
  decision: 'allowed',
  outcome: 'ok',
  status: 201,
  durationMs: 1,
  answerBytes: 1,
  requestId: 'req_1',
  traceId: null,
  ip: '127.0.0.1',
  userAgent: null,
  at: daysAgo(days),
})

/** A chain of events so many days old, with an anchor after every second one, as old as that. */
async function writeChain(writerId: string, ages: readonly number[]): Promise<void> {
  const linked = linkEvents(newChain(writerId), ages.map(event))
  await insertEvents(at.database, 'app', linked)
  await inSequence(
    linked.filter(({ link }) => link.sequence % 2 === 0),
    async ({ link, at: writtenAt }) => {
      await insertAnchor(at.database, 'app', link, link.sequence === ages.length)
      await at.admin.query('SET session_replication_role = replica')
      await at.admin.query('UPDATE audit_anchors SET at = $3 WHERE writer_id = $1 AND sequence = $2', [
        writerId,
        link.sequence,
        writtenAt,
      ])
      await at.admin.query('SET session_replication_role = origin')
    },
  )
}

const keepAudit = (days: number | null) =>
  at.admin.query(
    `UPDATE plans SET limits = jsonb_set(limits, '{retention_days,audit}', $1::jsonb) WHERE id = 'free'`,
    [JSON.stringify(days)],
  )
const drop = (isDry = false) => dropOldAudit(at.urls.ownerUrl, { isDry })
const sequencesOf = async (writerId: string) => {
  const { rows } = await at.admin.query<{ sequence: string }>(
    'SELECT sequence FROM audit_events WHERE writer_id = $1 ORDER BY sequence',
    [writerId],
  )
  return rows.map(({ sequence }) => Number(sequence))
}

test('old events go from the beginning of a chain up to an anchor, whole chains too, and the rest is verified as before', async () => {
  await writeChain('all-old', [90, 80, 70, 60])
  await writeChain('begins-old', [90, 80, 70, 60, 59, 10, 9, 8])
  await writeChain('young', [20, 10])

  await keepAudit(null)
  expect(await drop()).toEqual({ events: 0, months: [] })

  await keepAudit(50)
  expect(await drop(true)).toEqual({ events: 8, months: [] })
  expect(await sequencesOf('all-old')).toEqual([1, 2, 3, 4])

  expect(await drop()).toEqual({ events: 8, months: [] })
  expect(await sequencesOf('all-old')).toEqual([])
  // The fifth is old as well, but no anchor stands after it.
  expect(await sequencesOf('begins-old')).toEqual([5, 6, 7, 8])
  expect(await sequencesOf('young')).toEqual([1, 2])
  expect((await verifyAudit(at.urls.ownerUrl)).breaks).toEqual([])
  expect(await drop()).toEqual({ events: 0, months: [] })

  // The least that is kept.
  await keepAudit(1)
  expect(await drop()).toEqual({ events: 0, months: [] })
})

test('the application, and an owner who does not say so, remove nothing', async () => {
  const remove = 'DELETE FROM audit_events'
  await expect(at.database.asAuth((client) => client.query(remove))).rejects.toThrow(NotPermitted)
  const owner = new Client(at.urls.ownerUrl)
  await owner.connect()
  await expect(owner.query(remove)).rejects.toThrow('only grows')
  // What is young stays even then.
  await owner.query(`BEGIN; SET LOCAL flamegate.drops_old_audit = 'on'`)
  await owner.query(remove)
  await owner.query('COMMIT')
  await owner.end()
  expect(await sequencesOf('young')).toEqual([1, 2])
})
