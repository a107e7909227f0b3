import type { Database } from './database.ts'
import { execute, sql } from './sql.ts'

/**
 * Removes what is past its time for everybody: sessions, OAuth records, retry keys, invitations, and revocations
 * that no token can be waiting for. Meant to be run about once an hour, by any process. Tells how many rows went.
 */
export async function sweepExpired(database: Database): Promise<number> {
  const counts = [
    await execute(database.auth, sql`DELETE FROM sessions WHERE expires_at < now()`),
    await execute(database.auth, sql`DELETE FROM oauth_records WHERE expires_at < now()`),
    await execute(database.auth, sql`DELETE FROM idempotency_keys WHERE expires_at < now()`),
    await execute(database.auth, sql`DELETE FROM invitations WHERE expires_at < now() - interval '30 days'`),
    await execute(
      database.auth,
      sql`DELETE FROM oauth_revocations WHERE revoked_at < now() - interval '30 days'`,
    ),
  ]
  return counts.reduce((sum, count) => sum + count, 0)
}
