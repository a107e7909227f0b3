import type { OnRevoked } from '@flamegate/operations/ports'
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
 * Calls back for every grant that was revoked, or whose choices changed, in the last day, and from then on for each as
 * that happens; the same grant may be told again. Resolves once it listens. When the connection breaks or hangs, another
 * is made within a second, and what was missed is read from the tables.
 */
export function watchRevocations(
  database: Database,
  onRevoked: OnRevoked,
): Promise<{ close(): Promise<void> }> {
  return listenTo(database, {
    name: channel,
    about: 'revocations',
    checkEveryMs: 250,
    answerWithinMs: 600,
    onPayload(payload) {
      // A trigger tells changed choices as `<grant> <version>`.
      const [, grantId, version] = /^(.+) (\d+)$/.exec(payload) ?? []
      if (grantId === undefined) onRevoked(payload)
      else onRevoked(grantId, Number(version))
    },
    async onListening() {
      const since = sql`now() - make_interval(hours => ${rememberedHours}::int)`
      const rows = await queryRows<{ grantId: string; version: number | null }>(
        database.auth,
        sql`SELECT grant_id AS "grantId", NULL AS version FROM oauth_revocations WHERE revoked_at > ${since}
          UNION ALL SELECT grant_id, choices_version FROM oauth_grants WHERE choices_changed_at > ${since}`,
      )
      for (const { grantId, version } of rows) onRevoked(grantId, version ?? undefined)
    },
  })
}
