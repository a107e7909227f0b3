import type { Client } from 'pg'
import type { ChainLink, StoredAuditEvent } from '@flamegate/operations/ports'
import { openConnection } from '../connect.ts'
import { queryRows, sql } from '../sql.ts'
import { hashOf, newChain, type ChainHead } from './audit-chain.ts'
import { auditColumns, eventOfRow, type AuditRow } from './audit-rows.ts'

/** How far a chain had come, as its writer said at the time: in the database, or in a log that was kept elsewhere. */
export interface Anchor extends ChainHead {
  /** The writer ended there. */
  isLast: boolean
}

/** The first thing that is wrong with a chain. */
export interface Break {
  writerId: string
  sequence: number
  /** Undefined for an event that is not there. */
  eventId: string | undefined
  what: 'changed' | 'missing' | 'moved' | 'inserted'
  detail: string
}

export interface AuditVerification {
  chains: number
  events: number
  /** Events from before there were chains; of these only the number is verified. */
  unlinked: number
  /** One for each chain that is not whole. */
  breaks: Break[]
}

type LinkedEvent = StoredAuditEvent & { link: ChainLink }

const batch = 5_000

/** How far from where an event stands it is looked for where it was written. */
const farthestMove = 10_000

/**
 * Walks every chain of the audit log from its first event, or, where older ones were dropped, from an anchor on.
 *
 * What this cannot show: events at the end of a chain whose process was killed, removed or added after its last anchor;
 * a chain that was removed with all its anchors; a chain that was made anew as a whole. Anchors that were kept
 * elsewhere show the last two.
 *
 * @param ownerUrl The database as `flamegate_owner`, who may read all of it.
 * @param kept Anchors from elsewhere, such as from the log.
 */
export async function verifyAudit(
  ownerUrl: string,
  kept: readonly Anchor[] = [],
): Promise<AuditVerification> {
  const client = await openConnection(ownerUrl, 'flamegate verify')
  try {
    // One picture of it all, while writers go on.
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    const stored = await readAnchors(client)
    const anchors = Map.groupBy([...stored, ...kept], ({ writerId }) => writerId)
    const writers = await queryRows<{ writerId: string | null; events: number }>(
      client,
      sql`SELECT writer_id AS "writerId", count(*)::int AS events FROM audit_events GROUP BY writer_id`,
    )
    const counts = new Map(writers.map(({ writerId, events }) => [writerId ?? '', events]))
    const breaks: Break[] = []
    for (const writerId of new Set([...counts.keys(), ...anchors.keys()])) {
      const ofWriter = (anchors.get(writerId) ?? []).toSorted((a, b) => a.sequence - b.sequence)
      const found =
        writerId === ''
          ? checkCount(counts.get('') ?? 0, ofWriter)
          : await checkChain(client, writerId, ofWriter)
      if (found !== undefined) breaks.push(found)
    }
    const unlinked = counts.get('') ?? 0
    const all = [...counts.values()].reduce((sum, count) => sum + count, 0)
    counts.delete('')
    return { chains: counts.size, events: all - unlinked, unlinked, breaks }
  } finally {
    await client.end()
  }
}

function readAnchors(client: Client): Promise<Anchor[]> {
  return queryRows<Anchor>(
    client,
    sql`SELECT writer_id AS "writerId", sequence::float8 AS sequence, hash, is_last AS "isLast" FROM audit_anchors`,
  )
}

/** The migration counted what was there before it. */
function checkCount(count: number, [anchor]: readonly Anchor[]): Break | undefined {
  const expected = anchor?.sequence ?? 0
  if (count === expected) return undefined
  const what = count < expected ? 'missing' : 'inserted'
  const detail = `There were ${expected} events before there were chains; now there are ${count}.`
  return { writerId: '', sequence: 0, eventId: undefined, what, detail }
}

async function checkChain(
  client: Client,
  writerId: string,
  anchors: readonly Anchor[],
): Promise<Break | undefined> {
  const byPlace = Map.groupBy(anchors, ({ sequence }) => sequence)
  const last = anchors.find(({ isLast }) => isLast)
  let head: ChainHead | undefined
  for await (const event of eventsOf(client, writerId)) {
    const before = head ?? startOf(event, anchors)
    if (before === undefined) {
      const detail = `It begins with event ${event.link.sequence}, and no anchor says what came before.`
      return { writerId, sequence: event.link.sequence - 1, eventId: undefined, what: 'missing', detail }
    }
    const broken = checkEvent(event, before) ?? checkAnchors(event, byPlace, last)
    if (broken !== undefined) return broken
    head = event.link
  }
  const furthest = anchors.at(-1)
  if (furthest === undefined || (head?.sequence ?? 0) >= furthest.sequence) return undefined
  return {
    writerId,
    sequence: (head?.sequence ?? 0) + 1,
    eventId: undefined,
    what: 'missing',
    detail: `An anchor says that the chain went on to ${furthest.sequence}.`,
  }
}

/** What the first event there is must come after. Where older ones were dropped, an anchor says so. */
function startOf({ link }: LinkedEvent, anchors: readonly Anchor[]): ChainHead | undefined {
  if (link.sequence === 1) return newChain(link.writerId)
  return anchors.find(({ sequence }) => sequence === link.sequence - 1)
}

function checkEvent(event: LinkedEvent, before: ChainHead): Break | undefined {
  const { link, id: eventId } = event
  const { writerId, sequence } = link
  const at = { writerId, sequence, eventId }
  if (sequence > before.sequence + 1) {
    const detail = `After ${before.sequence} comes ${sequence}.`
    return { ...at, sequence: before.sequence + 1, eventId: undefined, what: 'missing', detail }
  }
  if (sequence <= before.sequence) {
    return { ...at, what: 'inserted', detail: `There is another event with the number ${sequence}.` }
  }
  if (hashOf(event, link) !== link.hash) {
    const original = originalPlace(event)
    return original === undefined
      ? { ...at, what: 'changed', detail: 'Its hash is that of other content.' }
      : { ...at, what: 'moved', detail: `It was written as number ${original}.` }
  }
  if (link.previousHash !== before.hash) {
    return { ...at, what: 'inserted', detail: 'It follows another event than the one before it.' }
  }
  return undefined
}

/** The number under which an event's hash is right, when that is another one. */
function originalPlace({ link, ...event }: LinkedEvent): number | undefined {
  const first = Math.max(1, link.sequence - farthestMove)
  for (let sequence = first; sequence <= link.sequence + farthestMove; sequence += 1) {
    if (hashOf(event, { ...link, sequence }) === link.hash) return sequence
  }
  return undefined
}

function checkAnchors(
  { link, id: eventId }: LinkedEvent,
  byPlace: ReadonlyMap<number, readonly Anchor[]>,
  last: Anchor | undefined,
): Break | undefined {
  const at = { writerId: link.writerId, sequence: link.sequence, eventId }
  if (byPlace.get(link.sequence)?.some(({ hash }) => hash !== link.hash) === true) {
    return { ...at, what: 'changed', detail: 'An anchor from then has another hash.' }
  }
  if (last !== undefined && link.sequence > last.sequence) {
    return { ...at, what: 'inserted', detail: `The writer ended after ${last.sequence}.` }
  }
  return undefined
}

async function* eventsOf(client: Client, writerId: string): AsyncGenerator<LinkedEvent> {
  let after = { sequence: -1, id: '' }
  for (;;) {
    const rows = await queryRows<AuditRow>(
      client,
      sql`SELECT ${auditColumns} FROM audit_events
        WHERE writer_id = ${writerId} AND (sequence, id) > (${after.sequence}, ${after.id})
        ORDER BY sequence, id LIMIT ${batch}`,
    )
    for (const row of rows) {
      const event = eventOfRow({ ...row, sequence: Number(row.sequence) })
      if (event.link !== null) yield { ...event, link: event.link }
    }
    const lastRow = rows.at(-1)
    if (lastRow === undefined || rows.length < batch) return
    after = { sequence: Number(lastRow.sequence), id: lastRow.id }
  }
}
