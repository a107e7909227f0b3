import type { ClientBase } from 'pg'
import type { Database } from './database.ts'
import { listenTo } from './notification-listener.ts'
import { execute, queryRows, sql } from './sql.ts'

const channel = 'flamegate_revocations'
/** How long the oldest access token that a revocation may have to stop lives, with room to spare. */
const rememberedHours = 24

/** Removes everything that a grant issued, and tells every process once the transaction commits. */
export async function revokeGrant(client: ClientBase, grantId: string): Promise<void> {
  await execute(
    client,
    sql`DELETE FROM oauth_records WHERE grant_id = ${grantId} OR (model = 'Grant' AND id = ${grantId})`,
  )
  await execute(client, sql`DELETE FROM oauth_grants WHERE grant_id = ${grantId}`)
  await execute(
    client,
    sql`INSERT INTO oauth_revocations (grant_id) VALUES (${grantId}) ON CONFLICT (grant_id) DO NOTHING`,
  )
  await execute(client, sql`SELECT pg_notify(${channel}, ${grantId})`)
}

/**
 * Calls back for every grant that was revoked in the last day, and from then on for each as it is revoked; the same
 * grant may be told again. Resolves once it listens. When the connection breaks, what was missed is read from the table.
 */
export function watchRevocations(
  database: Database,
  onRevoked: (grantId: string) => void,
): Promise<{ close(): Promise<void> }> {
  return listenTo(database, {
    name: channel,
    about: 'revocations',
    onPayload: onRevoked,
    async onListening() {
      const rows = await queryRows<{ grant_id: string }>(
        database.auth,
        sql`SELECT grant_id FROM oauth_revocations WHERE revoked_at > now() - make_interval(hours => ${rememberedHours}::int)`,
      )
      for (const row of rows) onRevoked(row.grant_id)
    },
  })
}
