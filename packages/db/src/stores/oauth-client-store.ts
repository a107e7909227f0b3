import { NotPermitted, type OAuthClient, type OAuthClientStore } from '@flamegate/operations/ports'
import type { ClientBase, Pool } from 'pg'
import type { Database } from '../database.ts'
import { containing, execute, nothing, queryRows, sql, startAfter, type Sql } from '../sql.ts'
import { revokeGrantsOf } from './oauth-client-registry.ts'
import { isUnusedSince, removeClients } from './unused-clients.ts'

/** Clients belong to no workspace; `flamegate_auth` reads them, for whom the operation found to be an administrator. */
export function oauthClientStore(database: Database): OAuthClientStore {
  return {
    list(_caller, page, { search, isBlocked }) {
      const found =
        search === undefined
          ? nothing
          : sql`AND (name ILIKE ${containing(search)} OR client_id ILIKE ${containing(search)}
              OR array_to_string(redirect_hosts, ' ') ILIKE ${containing(search)})`
      const blocked = isBlocked === undefined ? nothing : sql`AND (blocked_at IS NOT NULL) = ${isBlocked}`
      return selectClients(
        database.auth,
        sql`true ${found} ${blocked} ${startAfter(page.after, sql`created_at, client_id`)}
          ORDER BY created_at DESC, client_id DESC LIMIT ${page.limit + 1}`,
      )
    },

    setBlock(caller, clientId, block) {
      if (caller.access === 'read') throw new NotPermitted()
      return database.asAuth(async (connection) => {
        const changed = await execute(
          connection,
          block
            ? sql`UPDATE oauth_clients SET blocked_at = coalesce(blocked_at, now()), block_reason = ${block.reason}
                WHERE client_id = ${clientId}`
            : sql`UPDATE oauth_clients SET blocked_at = NULL, block_reason = NULL WHERE client_id = ${clientId}`,
        )
        if (changed === 0) return undefined
        const revokedGrants = block ? await revokeGrantsOf(connection, clientId) : 0
        const [client] = await selectClients(connection, sql`client_id = ${clientId}`)
        return client && { client, revokedGrants }
      })
    },

    removeUnused(caller, { since, isDryRun }) {
      const condition = sql`${isUnusedSince(sql`${since}`)}
        AND NOT EXISTS (SELECT FROM oauth_grants WHERE oauth_grants.client_id = oauth_clients.client_id)`
      if (isDryRun) {
        return queryRows(
          database.auth,
          sql`SELECT client_id AS "clientId", name FROM oauth_clients WHERE ${condition} ORDER BY client_id`,
        )
      }
      if (caller.access === 'read') throw new NotPermitted()
      return removeClients(database.auth, condition)
    },
  }
}

function selectClients(connection: ClientBase | Pool, condition: Sql): Promise<OAuthClient[]> {
  return queryRows(
    connection,
    sql`SELECT client_id AS "clientId", kind, name, redirect_hosts AS "redirectHosts", created_at AS "createdAt",
        first_used_at AS "firstUsedAt", last_used_at AS "lastUsedAt", blocked_at AS "blockedAt",
        block_reason AS "blockReason",
        (SELECT count(*) FROM oauth_grants WHERE oauth_grants.client_id = oauth_clients.client_id) AS "grantCount"
      FROM oauth_clients WHERE ${condition}`,
  )
}
