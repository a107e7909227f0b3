import { rm } from 'node:fs/promises'
import { newId } from '@flamegate/contract'
import type { AuditEvent } from '@flamegate/operations/ports'
import { Client } from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import { migrate } from '../migrate.ts'
import { migrationsBefore } from '../migrations-before.ts'
import { beginStatement } from '../row-scope.ts'
import { emptyDatabase, inSequence, preparePeople } from '../testing.ts'
import { linkEvents, newChain } from './audit-chain.ts'
import { insertAnchor, insertEvents } from './audit-rows.ts'
import { dropOldAudit } from './drop-old-audit.ts'
import { prepareAudit } from './prepare-audit.ts'
import { verifyAudit } from './verify-audit.ts'

const { at, ada } = preparePeople()
const { workspaceId } = ada

/** The beginning of the month that is so many from this one, in UTC. */
function monthFromNow(months: number): Date {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months))
}
const partOf = (month: Date) => `audit_events_${month.toISOString().slice(0, 7).replace('-', '_')}`
const hoursAfter = (time: Date, hours: number) => new Date(time.getTime() + hours * 3_600_000)

const event = (when: Date): AuditEvent => ({
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
  at: when,
})

/** A chain of events of these times, with an anchor after those that `anchored` numbers, as old as that event. */
async function writeChain(writerId: string, times: readonly Date[], anchored: readonly number[]) {
  const linked = linkEvents(newChain(writerId), times.map(event))
  await insertEvents(at.database, 'app', linked)
  const heads = linked.filter(({ link }) => anchored.includes(link.sequence))
  await inSequence(heads, async ({ link, at: writtenAt }) => {
    await insertAnchor(at.database, 'app', link, link.sequence === times.length)
    await at.admin.query('SET session_replication_role = replica')
    await at.admin.query('UPDATE audit_anchors SET at = $2 WHERE hash = $1', [link.hash, writtenAt])
    await at.admin.query('SET session_replication_role = origin')
  })
}

const partsOf = async () => {
  const { rows } = await at.admin.query<{ name: string }>(
    `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'audit_events'::regclass ORDER BY 1`,
  )
  return rows.map(({ name }) => name)
}
/** Where the events of a chain are: `part: number, number`. */
const placesOf = async (writerId: string) => {
  const { rows } = await at.admin.query<{ part: string; numbers: number[] }>(
    `SELECT tableoid::regclass::text AS part, array_agg(sequence::int ORDER BY sequence) AS numbers
      FROM audit_events WHERE writer_id = $1 GROUP BY 1 ORDER BY 1`,
    [writerId],
  )
  return Object.fromEntries(rows.map(({ part, numbers }) => [part, numbers]))
}

/** An empty log, as if what was there before months had ended then. */
async function beginMonthsAt(first: Date): Promise<void> {
  await at.admin.query('SET session_replication_role = replica')
  await at.admin.query('TRUNCATE audit_events, audit_anchors')
  await at.admin.query('SET session_replication_role = origin')
  await at.admin.query('ALTER TABLE audit_events DETACH PARTITION audit_events_before')
  for (const name of (await partsOf()).filter((part) => part !== 'audit_events_rest')) {
    await at.admin.query(`DROP TABLE ${name}`)
  }
  await at.admin.query(
    `ALTER TABLE audit_events ATTACH PARTITION audit_events_before FOR VALUES FROM (MINVALUE) TO ('${first.toISOString()}')`,
  )
}

/** A month of the past as the job had made it then. */
async function addMonth(month: Date): Promise<void> {
  const until = new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1))
  const owner = new Client(at.urls.ownerUrl)
  await owner.connect()
  await owner.query(`SELECT flamegate_add_audit_part($1)`, [partOf(month)])
  await owner.query(`ALTER TABLE audit_events ATTACH PARTITION ${partOf(month)}
    FOR VALUES FROM ('${month.toISOString()}') TO ('${until.toISOString()}')`)
  await owner.end()
}

const prepare = (isDry = false) => prepareAudit(at.database, { isDry })

describe('preparing months', () => {
  const ahead = [0, 1, 2].map((months) => partOf(monthFromNow(months)))

  test('makes this one and the next two, once; a dry run only tells', async () => {
    await beginMonthsAt(monthFromNow(-2))
    expect(await prepare(true)).toEqual(ahead)
    expect(await partsOf()).toEqual(['audit_events_before', 'audit_events_rest'])

    expect(await prepare()).toEqual(ahead)
    expect(await partsOf()).toEqual([...ahead, 'audit_events_before', 'audit_events_rest'].toSorted())
    expect(await prepare()).toEqual([])
    expect(await prepare(true)).toEqual([])
  })

  test('leaves a month alone of which there are events already, which nobody lost', async () => {
    await beginMonthsAt(monthFromNow(0))
    await writeChain('early', [hoursAfter(monthFromNow(1), 5)], [])
    expect(await prepare()).toEqual([ahead[0], ahead[2]])
    expect(await placesOf('early')).toEqual({ audit_events_rest: [1] })
    expect(await prepare()).toEqual([])
  })

  test('waits for nobody who reads the log, and is done the next time', async () => {
    await beginMonthsAt(monthFromNow(2))
    const reader = new Client(at.urls.ownerUrl)
    await reader.connect()
    await reader.query('BEGIN')
    await reader.query('SELECT count(*) FROM audit_events')
    expect(await prepare()).toEqual([])
    await reader.query('COMMIT')
    await reader.end()
    expect(await prepare()).toEqual([ahead[2]])
  })
})

describe('a part of the log', () => {
  const month = monthFromNow(-3)
  const part = partOf(month)

  beforeAll(async () => {
    await beginMonthsAt(month)
    await addMonth(month)
    await writeChain('guarded', [hoursAfter(month, 1)], [])
  })

  test('is closed to whoever does not come through the log, also to an admin of the workspace', async () => {
    expect(await placesOf('guarded')).toEqual({ [part]: [1] })
    const scope = {
      userId: 'ada',
      readWorkspaceIds: [workspaceId],
      writeWorkspaceIds: [workspaceId],
      adminWorkspaceIds: [workspaceId],
      isReadOnly: false,
    }
    const app = new Client(at.urls.appUrl)
    const auth = new Client(at.urls.authUrl)
    await Promise.all([app.connect(), auth.connect()])
    const count = async (adminWorkspaceIds: string[]) => {
      await app.query(beginStatement({ ...scope, adminWorkspaceIds }))
      const { rows } = await app.query(
        `SELECT count(*)::int AS count FROM audit_events WHERE writer_id = 'guarded'`,
      )
      await app.query('ROLLBACK')
      return rows
    }
    expect(await count([workspaceId])).toEqual([{ count: 1 }])
    expect(await count(['ws_other'])).toEqual([{ count: 0 }])
    for (const name of await partsOf()) {
      for (const client of [app, auth]) {
        for (const statement of [
          `SELECT FROM ${name}`,
          `INSERT INTO ${name} SELECT * FROM audit_events`,
          `DELETE FROM ${name}`,
        ]) {
          await expect(client.query(statement)).rejects.toThrow('permission denied')
        }
      }
    }
    await Promise.all([app.end(), auth.end()])
  })

  test('only grows, whoever asks by its own name', async () => {
    for (const name of await partsOf()) {
      for (const statement of [`UPDATE ${name} SET hash = ''`, `DELETE FROM ${name}`, `TRUNCATE ${name}`]) {
        await expect(at.admin.query(statement)).rejects.toThrow('only grows')
      }
    }
  })

  test('takes events once: ids and places in a chain are its own', async () => {
    const [first] = linkEvents(newChain('guarded'), [event(hoursAfter(month, 1))])
    await expect(insertEvents(at.database, 'app', first === undefined ? [] : [first])).rejects.toThrow(
      `${part}_writer_id_sequence_key`,
    )
  })
})

const keepAudit = (days: number) =>
  at.admin.query(
    `UPDATE plans SET limits = jsonb_set(limits, '{retention_days,audit}', $1::jsonb) WHERE id = 'free'`,
    [JSON.stringify(days)],
  )
const drop = (isDry = false) => dropOldAudit(at.urls.ownerUrl, { isDry })
const isWhole = async () => expect((await verifyAudit(at.urls.ownerUrl)).breaks).toEqual([])

describe('dropping months', () => {
  const [first, second, third] = [monthFromNow(-5), monthFromNow(-4), monthFromNow(-3)]

  test('those that are old as a whole go; what a chain still needs of them stays, and it is verified as before', async () => {
    await beginMonthsAt(first)
    await inSequence([first, second, third], addMonth)
    const longAgo = monthFromNow(-7)
    // Before there were months, and on into the first and the third; calls that took long come out of order.
    await writeChain(
      'goes-on',
      [
        hoursAfter(longAgo, 1),
        hoursAfter(first, 1),
        hoursAfter(second, 1),
        hoursAfter(third, -1),
        hoursAfter(third, 1),
        hoursAfter(third, -2),
        hoursAfter(third, 2),
      ],
      [1, 3, 7],
    )
    await writeChain('ended', [hoursAfter(first, 2), hoursAfter(second, 2)], [2])
    await writeChain('young', [hoursAfter(third, 3)], [1])
    const usage = 'SELECT sum(calls)::int AS calls FROM usage_days'
    const { rows: counted } = await at.admin.query(usage)
    // The oldest that is kept is in the third month.
    await keepAudit(Math.floor((Date.now() - hoursAfter(third, 30).getTime()) / 86_400_000))

    const expected = { events: 5, months: [partOf(first), partOf(second)] }
    expect(await drop(true)).toEqual(expected)
    expect(await partsOf()).toEqual(
      [partOf(first), partOf(second), partOf(third), 'audit_events_before', 'audit_events_rest'].toSorted(),
    )
    await isWhole()

    expect(await drop()).toEqual(expected)
    expect(await partsOf()).toEqual([partOf(third), 'audit_events_before', 'audit_events_rest'].toSorted())
    // Number four is after the last anchor before the third month, and number six was written after number five.
    expect(await placesOf('goes-on')).toEqual({ audit_events_rest: [4, 6], [partOf(third)]: [5, 7] })
    expect(await placesOf('ended')).toEqual({})
    expect(await placesOf('young')).toEqual({ [partOf(third)]: [1] })
    await isWhole()
    expect((await at.admin.query(usage)).rows).toEqual(counted)

    expect(await drop()).toEqual({ events: 0, months: [] })
    await isWhole()
  })

  test('while somebody reads the log nothing goes, and it goes the next time', async () => {
    await keepAudit(30)
    const reader = new Client(at.urls.ownerUrl)
    await reader.connect()
    await reader.query('BEGIN')
    await reader.query('SELECT count(*) FROM audit_events')
    await expect(drop()).rejects.toThrow('lock timeout')
    expect(await partsOf()).toContain(partOf(third))
    await reader.query('COMMIT')
    await reader.end()
    expect(await drop()).toEqual({ events: 5, months: [partOf(third)] })
    expect(await placesOf('goes-on')).toEqual({})
    await isWhole()
  })
})

test('events of the release before stay where they are, with their anchors, and others come after them', async () => {
  const earlier = await migrationsBefore('20261201190000_audit_bound')
  const urls = await emptyDatabase()
  const before = new Client(urls.adminUrl)
  await before.connect()
  try {
    await migrate(urls.ownerUrl, earlier)
    const insert = (id: string, sequence: number) =>
      before.query(
        `INSERT INTO audit_events (id, workspace_id, user_id, via, client_id, client_name, operation, effect, decision, outcome, status,
            duration_ms, answer_bytes, request_id, ip, writer_id, sequence, previous_hash, hash)
          VALUES ($1, 'ws_a', 'usr_a', 'oauth', 'c', 'C', 'get_run', 'read', 'allowed', 'ok', 200, 1, 1, 'r', '::1', 'w', $2, '', '')`,
        [id, sequence],
      )
    await insert('aud_1', 1)
    expect(await migrate(urls.ownerUrl)).toContain('20261201190100_audit_months')
    // The same key refuses the same event as in the release before, whose processes still run.
    await expect(insert('aud_1', 2)).rejects.toMatchObject({ constraint: 'audit_events_pkey' })
    await insert('aud_2', 2)
    const { rows } = await before.query(
      `SELECT id, tableoid::regclass::text AS part FROM audit_events ORDER BY id`,
    )
    expect(rows).toEqual([
      { id: 'aud_1', part: 'audit_events_before' },
      { id: 'aud_2', part: 'audit_events_before' },
    ])
    const { rows: usage } = await before.query('SELECT calls::int FROM usage_days')
    expect(usage).toEqual([{ calls: 2 }])
  } finally {
    await before.end()
    await rm(earlier, { recursive: true, force: true })
  }
})
