import type { ClientBase, Pool } from 'pg'
import { queryRows, sql, type Sql } from '../sql.ts'

/** A client that nobody used or registered since `time`, and that nobody has to stay for being blocked. */
export function isUnusedSince(time: Sql): Sql {
  return sql`blocked_at IS NULL AND greatest(registered_at, last_used_at) < ${time}`
}

/**
 * Removes the clients that `condition` holds for, with all that they have: metadata, the token to change it, and what
 * is left of their grants. Their next request is told that there is no such client, and they register again.
 */
export function removeClients(
  connection: ClientBase | Pool,
  condition: Sql,
): Promise<{ clientId: string; name: string }[]> {
  return queryRows(
    connection,
    sql`WITH gone AS (DELETE FROM oauth_clients WHERE ${condition} RETURNING client_id, name),
        metadata AS (DELETE FROM oauth_records USING gone WHERE model = 'Client' AND id = client_id),
        management AS (DELETE FROM oauth_records USING gone
          WHERE model = 'RegistrationAccessToken' AND payload ->> 'clientId' = client_id),
        grants AS (DELETE FROM oauth_grants USING gone WHERE oauth_grants.client_id = gone.client_id)
      SELECT client_id AS "clientId", name FROM gone ORDER BY client_id`,
  )
}
