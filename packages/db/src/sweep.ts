import type { Database } from './database.ts'
import { execute, queryRows, sql, type Sql } from './sql.ts'
import { isUnusedSince, removeClients } from './stores/unused-clients.ts'

/** A client that never got a token is gone after a week: many register anew each time that they are set up. */
const clientsMayRestSince = sql`now() - CASE WHEN last_used_at IS NULL THEN interval '7 days' ELSE interval '180 days' END`

/** Rows that are past their time, by table. */
const expired: readonly { table: Sql; where: Sql }[] = [
  { table: sql`sessions`, where: sql`expires_at < now()` },
  { table: sql`tickets`, where: sql`expires_at < now()` },
  { table: sql`attempts`, where: sql`expires_at < now()` },
  { table: sql`oauth_records`, where: sql`expires_at < now()` },
  {
    table: sql`oauth_grants`,
    // A grant is noted after it is stored, so that one without its record is over.
    where: sql`NOT EXISTS
      (SELECT FROM oauth_records WHERE model = 'Grant' AND oauth_records.id = oauth_grants.grant_id)`,
  },
  { table: sql`oauth_client_documents`, where: sql`fetched_at < now() - interval '30 days'` },
  { table: sql`idempotency_keys`, where: sql`expires_at < now()` },
  {
    table: sql`api_tokens`,
    where: sql`project_id IS NOT NULL AND expires_at < now() - interval '1 day'`,
  },
  { table: sql`invitations`, where: sql`expires_at < now() - interval '30 days'` },
  { table: sql`deliveries`, where: sql`created_at < now() - interval '30 days' AND next_at IS NULL` },
  { table: sql`oauth_revocations`, where: sql`revoked_at < now() - interval '30 days'` },
]

/**
 * Removes what is past its time for everybody: sessions, tickets, counted attempts, OAuth records and grants, retry
 * keys, invitations, tokens of CI jobs, deliveries, and revocations that no token can be waiting for. Meant to be run about once an hour, by any
 * process. Tells how many rows went.
 * @param options.isDry only counts
 */
export async function sweepExpired(
  database: Database,
  { isDry }: { isDry: boolean } = { isDry: false },
): Promise<number> {
  const isUnused = isUnusedSince(clientsMayRestSince)
  if (isDry) {
    return countRows(database, [...expired, { table: sql`oauth_clients`, where: isUnused }])
  }
  let removed = 0
  for (const { table, where } of expired) {
    removed += await execute(database.auth, sql`DELETE FROM ${table} WHERE ${where}`)
  }
  return removed + (await removeClients(database.auth, isUnused)).length
}

async function countRows(database: Database, of: readonly { table: Sql; where: Sql }[]): Promise<number> {
  let sum = 0
  for (const { table, where } of of) {
    const [row] = await queryRows<{ count: number }>(
      database.auth,
      sql`SELECT count(*)::int AS count FROM ${table} WHERE ${where}`,
    )
    sum += row?.count ?? 0
  }
  return sum
}
