import { NotPermitted, type ConnectedApp, type ConnectedAppStore } from '@flamegate/operations/ports'
import type { Database } from '../database.ts'
import { queryRows, sql } from '../sql.ts'
import { revokeGrant } from '../revocations.ts'

/** Grants are the OAuth server's, so `flamegate_auth` reads them; every query says whose. */
export function connectedAppStore(database: Database): ConnectedAppStore {
  return {
    list: (caller) =>
      queryRows<ConnectedApp>(
        database.auth,
        sql`SELECT grant_id AS id, client_id AS "clientId", client_name AS "clientName",
            verified_domain AS "verifiedDomain", scopes, choices, created_at AS "createdAt", last_used_at AS "lastUsedAt", calls AS "callCount"
          FROM oauth_grants WHERE user_id = ${caller.principal.userId} ORDER BY created_at DESC, grant_id DESC`,
      ),

    revoke: (caller, id) => {
      if (caller.access === 'read') throw new NotPermitted()
      return database.asAuth(async (client) => {
        const [grant] = await queryRows(
          client,
          sql`SELECT FROM oauth_grants WHERE grant_id = ${id} AND user_id = ${caller.principal.userId}`,
        )
        if (!grant) return false
        await revokeGrant(client, id)
        return true
      })
    },
  }
}
