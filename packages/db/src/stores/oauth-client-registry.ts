import type { NotedClient, OAuthClientRegistry } from '@flamegate/operations/ports'
import type { Database } from '../database.ts'
import { revokeGrant } from '../revocations.ts'
import { execute, queryRows, sql } from '../sql.ts'
import { storableText } from '../storable.ts'
import type { ClientBase } from 'pg'

/** What the OAuth server knows of its clients beside their metadata, which is in `oauth_records`. */
export function oauthClientRegistry(database: Database): OAuthClientRegistry {
  const { auth } = database
  return {
    async noteRegistration(client) {
      await execute(
        auth,
        sql`INSERT INTO oauth_clients (client_id, kind, name, redirect_hosts)
          VALUES (${client.clientId}, ${client.kind}, ${nameOf(client)}, ${client.redirectHosts})
          ON CONFLICT (client_id) DO UPDATE SET name = excluded.name, redirect_hosts = excluded.redirect_hosts,
            registered_at = now()`,
      )
    },

    async noteUse(client) {
      await execute(
        auth,
        sql`INSERT INTO oauth_clients (client_id, kind, name, redirect_hosts, first_used_at, last_used_at)
          VALUES (${client.clientId}, ${client.kind}, ${nameOf(client)}, ${client.redirectHosts}, now(), now())
          ON CONFLICT (client_id) DO UPDATE SET name = excluded.name, redirect_hosts = excluded.redirect_hosts,
            first_used_at = coalesce(oauth_clients.first_used_at, now()), last_used_at = now()
          WHERE oauth_clients.last_used_at IS NULL OR oauth_clients.last_used_at < now() - interval '1 hour'`,
      )
    },

    async findBlock(clientId) {
      const [block] = await queryRows<{ reason: string }>(
        auth,
        sql`SELECT block_reason AS reason FROM oauth_clients WHERE client_id = ${clientId} AND blocked_at IS NOT NULL`,
      )
      return block
    },

    remove: (clientId) =>
      database.asAuth(async (client) => {
        await revokeGrantsOf(client, clientId)
        await execute(client, sql`DELETE FROM oauth_records WHERE model = 'Client' AND id = ${clientId}`)
        await execute(client, sql`DELETE FROM oauth_clients WHERE client_id = ${clientId}`)
      }),
  }
}

/** Revokes every grant of a client; tells how many there were. */
export async function revokeGrantsOf(client: ClientBase, clientId: string): Promise<number> {
  const grants = await queryRows<{ id: string }>(
    client,
    sql`SELECT grant_id AS id FROM oauth_grants WHERE client_id = ${clientId}
      UNION SELECT id FROM oauth_records WHERE model = 'Grant' AND payload ->> 'clientId' = ${clientId}`,
  )
  for (const grant of grants) await revokeGrant(client, grant.id)
  return grants.length
}

function nameOf({ name }: NotedClient): string {
  return storableText(name)
}
