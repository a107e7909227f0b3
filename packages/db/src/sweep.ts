import type { Database } from './database.ts'
import { execute, sql } from './sql.ts'
import { isUnusedSince, removeClients } from './stores/unused-clients.ts'

/** A client that never got a token is gone after a week: many register anew each time that they are set up. */
const clientsMayRestSince = sql`now() - CASE WHEN last_used_at IS NULL THEN interval '7 days' ELSE interval '180 days' END`

/**
 * Removes what is past its time for everybody: sessions, tickets, counted attempts, OAuth records and grants, retry
 * keys, invitations, tokens of CI jobs, deliveries, and revocations that no token can be waiting for. Meant to be run about once an hour, by any
 * process. Tells how many rows went.
 */
export async function sweepExpired(database: Database): Promise<number> {
  const counts = [
    await execute(database.auth, sql`DELETE FROM sessions WHERE expires_at < now()`),
    await execute(database.auth, sql`DELETE FROM tickets WHERE expires_at < now()`),
    await execute(database.auth, sql`DELETE FROM attempts WHERE expires_at < now()`),
    await execute(database.auth, sql`DELETE FROM oauth_records WHERE expires_at < now()`),
    // A grant is noted after it is stored, so that one without its record is over.
    await execute(
      database.auth,
      sql`DELETE FROM oauth_grants WHERE NOT EXISTS
        (SELECT FROM oauth_records WHERE model = 'Grant' AND oauth_records.id = oauth_grants.grant_id)`,
    ),
    await execute(
      database.auth,
      sql`DELETE FROM oauth_client_documents WHERE fetched_at < now() - interval '30 days'`,
    ),
    await execute(database.auth, sql`DELETE FROM idempotency_keys WHERE expires_at < now()`),
    await execute(
      database.auth,
      sql`DELETE FROM api_tokens WHERE project_id IS NOT NULL AND expires_at < now() - interval '1 day'`,
    ),
    await execute(database.auth, sql`DELETE FROM invitations WHERE expires_at < now() - interval '30 days'`),
    await execute(
      database.auth,
      sql`DELETE FROM deliveries WHERE created_at < now() - interval '30 days' AND next_at IS NULL`,
    ),
    await execute(
      database.auth,
      sql`DELETE FROM oauth_revocations WHERE revoked_at < now() - interval '30 days'`,
    ),
  ]
  const clients = await removeClients(database.auth, isUnusedSince(clientsMayRestSince))
  return counts.reduce((sum, count) => sum + count, clients.length)
}
