import type { Client } from 'pg'
import { openConnection } from '../connect.ts'
import { execute, nameOf, queryRows, sql, type Sql } from '../sql.ts'

/** What is younger is removed by nobody; the policies of the database say the same. */
const leastDays = 30

/** Whoever reads the log, as a backup does, holds a drop up, and everybody else who wants the log waits behind it meanwhile. */
const lockTimeoutMs = 3_000

export interface DroppedAudit {
  events: number
  /** Parts of the log that went as a whole, such as `audit_events_2027_01`; their events are among `events`. */
  months: string[]
}

/** Which events of a chain have to stay although they are old: from this number on, or none where all of it is old. */
interface KeptOfChain {
  writerId: string
  keptFrom: number | null
}

/**
 * Removes events of the audit log that are older than every plan in use keeps them, from the beginning of their chains up to an
 * anchor, so that what is left is verified as before. A month goes as a whole, when all of it is old; what a chain still needs of it is kept
 * in `audit_events_rest`. From there, and of what was there before there were months, events go one by one. Nothing goes while a plan in use
 * keeps them for ever.
 *
 * All in one transaction, and as often as one likes.
 *
 * @param ownerUrl The database as `flamegate_owner`: the application itself cannot remove events.
 * @param options.isDry only counts
 */
export async function dropOldAudit(ownerUrl: string, { isDry }: { isDry: boolean }): Promise<DroppedAudit> {
  const client = await openConnection(ownerUrl, 'flamegate sweep')
  try {
    await client.query('BEGIN')
    await client.query(`SELECT set_config('flamegate.backs_up', 'on', true),
      set_config('flamegate.drops_old_audit', 'on', true), set_config('lock_timeout', '${lockTimeoutMs}', true)`)
    const oldest = await oldestKept(client)
    if (oldest === null) return { events: 0, months: [] }
    const parts = await monthsOf(client)
    // A month of which some is young stays, so that for its chains that is where the young begins.
    const before = parts.find(({ since, until }) => since <= oldest && until > oldest)?.since ?? oldest
    const months = parts.filter(({ until }) => until <= before).map(({ name }) => name)
    const kept = await keptOfChains(client, before)
    const gone = goneOf(kept, before)
    const dropped: DroppedAudit = { events: 0, months }
    for (const name of ['audit_events_before', 'audit_events_rest', ...months]) {
      dropped.events += await countGone(client, name, gone)
    }
    if (isDry) return dropped
    for (const name of ['audit_events_before', 'audit_events_rest']) {
      await execute(
        client,
        sql`DELETE FROM ${nameOf(name)} AS old USING ${gone.chains} WHERE ${gone.condition}`,
      )
    }
    const ended = kept.filter(({ keptFrom }) => keptFrom === null).map(({ writerId }) => writerId)
    await execute(client, sql`DELETE FROM audit_anchors WHERE writer_id = ANY (${ended}::text[])`)
    // Last, because from the first of them on nobody else reads or writes the log until this ends.
    for (const name of months) await dropMonth(client, name, kept)
    await client.query('COMMIT')
    return dropped
  } finally {
    await client.end()
  }
}

/** Null where a plan in use keeps events for ever. */
async function oldestKept(client: Client): Promise<Date | null> {
  const [row] = await queryRows<{ before: Date | null }>(
    client,
    sql`SELECT CASE WHEN bool_and(days IS NOT NULL) THEN now() - make_interval(days => greatest(max(days), ${leastDays})) END AS before
      FROM (SELECT (plans.limits -> 'retention_days' ->> 'audit')::integer AS days
        FROM workspaces JOIN plans ON plans.id = workspaces.plan_id) AS kept`,
  )
  return row?.before ?? null
}

/** The parts of the log that are a month, the oldest first. */
function monthsOf(client: Client): Promise<{ name: string; since: Date; until: Date }[]> {
  return queryRows(
    client,
    sql`SELECT name, month AT TIME ZONE 'UTC' AS since, (month + interval '1 month') AT TIME ZONE 'UTC' AS until
      FROM (SELECT relname::text AS name, to_date(right(relname, 7), 'YYYY_MM')::timestamp AS month
        FROM pg_class JOIN pg_inherits ON inhrelid = pg_class.oid
        WHERE inhparent = 'audit_events'::regclass AND relname ~ '^audit_events_[0-9]{4}_[0-9]{2}$') AS parts
      ORDER BY month`,
  )
}

/**
 * Of each chain with old events. One of which all is old goes as a whole, with its anchors. Of another one goes what comes up to the last
 * anchor that stands before its first event that is young enough.
 */
function keptOfChains(client: Client, before: Date): Promise<KeptOfChain[]> {
  return queryRows(
    client,
    sql`SELECT writer_id AS "writerId", CASE
          WHEN first_kept IS NOT NULL THEN 1 + coalesce((SELECT max(sequence) FROM audit_anchors
            WHERE audit_anchors.writer_id = chains.writer_id AND sequence < first_kept), 0)
          WHEN EXISTS (SELECT FROM audit_anchors WHERE audit_anchors.writer_id = chains.writer_id AND at >= ${before}) THEN 1
        END::float8 AS "keptFrom"
      FROM (SELECT writer_id, (SELECT min(sequence) FROM audit_events AS later
          WHERE later.writer_id = old.writer_id AND later.at >= ${before}) AS first_kept
        FROM (SELECT DISTINCT writer_id FROM audit_events WHERE at < ${before} AND writer_id IS NOT NULL) AS old) AS chains`,
  )
}

const rowsOf = (kept: readonly KeptOfChain[]): Sql =>
  sql`unnest(${kept.map(({ writerId }) => writerId)}::text[], ${kept.map(({ keptFrom }) => keptFrom)}::bigint[])
    AS kept (writer_id, kept_from)`

/** What of a part, as `old`, is to go: those events that meet the condition with a chain. */
const goneOf = (kept: readonly KeptOfChain[], before: Date): { chains: Sql; condition: Sql } => ({
  chains: rowsOf(kept),
  condition: sql`old.writer_id = kept.writer_id AND at < ${before} AND (kept_from IS NULL OR sequence < kept_from)`,
})

async function countGone(client: Client, part: string, gone: ReturnType<typeof goneOf>): Promise<number> {
  const [row] = await queryRows<{ count: number }>(
    client,
    sql`SELECT count(*)::int AS count FROM ${nameOf(part)} AS old, ${gone.chains} WHERE ${gone.condition}`,
  )
  return row?.count ?? 0
}

async function dropMonth(client: Client, name: string, kept: readonly KeptOfChain[]): Promise<void> {
  const month = nameOf(name)
  await execute(client, sql`ALTER TABLE audit_events DETACH PARTITION ${month}`)
  await execute(
    client,
    sql`INSERT INTO audit_events_rest SELECT old.* FROM ${month} AS old, ${rowsOf(kept)}
      WHERE old.writer_id = kept.writer_id AND sequence >= kept_from`,
  )
  await execute(client, sql`DROP TABLE ${month}`)
}
