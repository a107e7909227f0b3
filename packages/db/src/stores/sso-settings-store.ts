import type { SsoDomain, SsoSettings, SsoSettingsStore } from '@flamegate/operations/ports'
import type { ClientBase } from 'pg'
import type { Database } from '../database.ts'
import { mustAdminister } from '../row-scope.ts'
import { execute, queryRows, sql } from '../sql.ts'
import { storableText } from '../storable.ts'

const domainColumns = sql`domain, token, method, verified_at AS "verifiedAt", checked_at AS "checkedAt", failure`

export function ssoSettingsStore(database: Database): SsoSettingsStore {
  return {
    find: (caller, workspaceId) =>
      database.asCallerSql(caller, async (client) => {
        const [settings] = await queryRows<SsoSettings>(
          client,
          sql`SELECT workspace_id AS "workspaceId", issuer, client_id AS "clientId",
              sealed_client_secret AS "sealedClientSecret", default_role AS "defaultRole",
              is_required AS "isRequired", owners_keep_other_ways AS "ownersKeepOtherWays", worked_at AS "workedAt"
            FROM workspace_sso WHERE workspace_id = ${workspaceId}`,
        )
        return settings
      }),

    set: (caller, settings) =>
      database.asCallerSql(caller, async (client) => {
        mustAdminister(caller, settings.workspaceId)
        await execute(
          client,
          sql`INSERT INTO workspace_sso (workspace_id, issuer, client_id, sealed_client_secret, default_role,
              is_required, owners_keep_other_ways, worked_at, updated_by)
            VALUES (${settings.workspaceId}, ${settings.issuer}, ${settings.clientId}, ${settings.sealedClientSecret},
              ${settings.defaultRole}, ${settings.isRequired}, ${settings.ownersKeepOtherWays}, ${settings.workedAt},
              ${caller.principal.userId})
            ON CONFLICT (workspace_id) DO UPDATE SET issuer = excluded.issuer, client_id = excluded.client_id,
              sealed_client_secret = excluded.sealed_client_secret, default_role = excluded.default_role,
              is_required = excluded.is_required, owners_keep_other_ways = excluded.owners_keep_other_ways,
              worked_at = excluded.worked_at, updated_by = excluded.updated_by, updated_at = now()`,
        )
      }),

    remove: (caller, workspaceId) =>
      database.asCallerSql(caller, async (client) => {
        mustAdminister(caller, workspaceId)
        const removed = await execute(
          client,
          sql`DELETE FROM workspace_sso WHERE workspace_id = ${workspaceId}`,
        )
        return removed > 0
      }),

    listDomains: (caller, workspaceId) =>
      database.asCallerSql(caller, (client) =>
        queryRows<SsoDomain>(
          client,
          sql`SELECT ${domainColumns} FROM sso_domains WHERE workspace_id = ${workspaceId} ORDER BY domain`,
        ),
      ),

    addDomain: (caller, workspaceId, { domain, token }) =>
      database.asCallerSql(caller, async (client) => {
        mustAdminister(caller, workspaceId)
        await execute(
          client,
          sql`INSERT INTO sso_domains (workspace_id, domain, token, created_by)
            VALUES (${workspaceId}, ${domain}, ${token}, ${caller.principal.userId})
            ON CONFLICT (workspace_id, domain) DO NOTHING`,
        )
        const added = await findDomain(client, workspaceId, domain)
        if (!added) throw new Error('The domain is gone')
        return added
      }),

    noteCheck: (caller, workspaceId, domain, proof) =>
      database.asCallerSql(caller, async (client) => {
        mustAdminister(caller, workspaceId)
        // What was proved stays so: one answer of a name server that has its bad day locks nobody out.
        await execute(
          client,
          'method' in proof
            ? sql`UPDATE sso_domains SET method = ${proof.method}, checked_at = now(), failure = NULL,
                verified_at = coalesce(verified_at, now())
              WHERE workspace_id = ${workspaceId} AND domain = ${domain}`
            : sql`UPDATE sso_domains SET checked_at = now(), failure = ${storableText(proof.failure)}
              WHERE workspace_id = ${workspaceId} AND domain = ${domain}`,
        )
        return findDomain(client, workspaceId, domain)
      }),

    removeDomain: (caller, workspaceId, domain) =>
      database.asCallerSql(caller, async (client) => {
        mustAdminister(caller, workspaceId)
        const removed = await execute(
          client,
          sql`DELETE FROM sso_domains WHERE workspace_id = ${workspaceId} AND domain = ${domain}`,
        )
        return removed > 0
      }),

    listMemberIds: (caller, workspaceId, issuer) =>
      database.asCallerSql(caller, async (client) => {
        const rows = await queryRows<{ userId: string }>(
          client,
          sql`SELECT user_id AS "userId" FROM sso_identities
            WHERE workspace_id = ${workspaceId} AND issuer = ${issuer} ORDER BY created_at, user_id`,
        )
        return rows.map(({ userId }) => userId)
      }),
  }
}

async function findDomain(
  client: ClientBase,
  workspaceId: string,
  domain: string,
): Promise<SsoDomain | undefined> {
  const [found] = await queryRows<SsoDomain>(
    client,
    sql`SELECT ${domainColumns} FROM sso_domains WHERE workspace_id = ${workspaceId} AND domain = ${domain}`,
  )
  return found
}
