import { Client } from 'pg'
import { connectOptions } from '../connect.ts'
import { execute, queryRows, sql } from '../sql.ts'

/** What is younger is removed by nobody; the policies of the database say the same. */
const leastDays = 30

/**
 * Removes events of the audit log that are older than every plan in use keeps them, from the beginning of their chains up to an
 * anchor, so that what is left is verified as before. Nothing goes while a plan in use keeps them for ever. Gives how many went.
 *
 * @param ownerUrl The database as `flamegate_owner`: the application itself cannot remove events.
 */
export async function dropOldAudit(ownerUrl: string, { isDry }: { isDry: boolean }): Promise<number> {
  const client = new Client(connectOptions(ownerUrl, 'flamegate sweep'))
  await client.connect()
  try {
    await client.query('BEGIN')
    await client.query(`SELECT set_config('flamegate.backs_up', 'on', true),
      set_config('flamegate.drops_old_audit', 'on', true)`)
    const [{ before } = { before: null }] = await queryRows<{ before: Date | null }>(
      client,
      sql`SELECT CASE WHEN bool_and(days IS NOT NULL) THEN now() - make_interval(days => greatest(max(days), ${leastDays})) END AS before
        FROM (SELECT (plans.limits -> 'retention_days' ->> 'audit')::integer AS days
          FROM workspaces JOIN plans ON plans.id = workspaces.plan_id) AS kept`,
    )
    if (before === null) return 0
    // A chain of which all is old goes as a whole, with its anchors. Of another one, what comes before the last anchor that stands
    // before its first event that is young enough.
    const gone = sql`WITH chains AS (
        SELECT writer_id, min(sequence) FILTER (WHERE at >= ${before}) AS first_kept
        FROM audit_events WHERE writer_id IS NOT NULL GROUP BY writer_id
      ), ends AS (
        SELECT writer_id, first_kept IS NULL AND NOT EXISTS (SELECT FROM audit_anchors
            WHERE audit_anchors.writer_id = chains.writer_id AND at >= ${before}) AS is_all_old,
          (SELECT max(sequence) FROM audit_anchors
            WHERE audit_anchors.writer_id = chains.writer_id AND sequence < first_kept) AS last_dropped
        FROM chains
      )`
    const isGone = sql`audit_events.writer_id = ends.writer_id AND at < ${before}
      AND (is_all_old OR sequence <= last_dropped)`
    if (isDry) {
      const [row] = await queryRows<{ count: number }>(
        client,
        sql`${gone} SELECT count(*)::int AS count FROM audit_events JOIN ends ON ${isGone}`,
      )
      return row?.count ?? 0
    }
    const dropped = await execute(client, sql`${gone} DELETE FROM audit_events USING ends WHERE ${isGone}`)
    await execute(
      client,
      sql`DELETE FROM audit_anchors WHERE at < ${before} AND writer_id <> ''
        AND NOT EXISTS (SELECT FROM audit_events WHERE audit_events.writer_id = audit_anchors.writer_id)`,
    )
    await client.query('COMMIT')
    return dropped
  } finally {
    await client.end()
  }
}
