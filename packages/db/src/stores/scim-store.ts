import type { ScimPerson, ScimQuery, ScimStore, ScimToken } from '@flamegate/operations/ports'
import type { Database } from '../database.ts'
import { mustAdminister } from '../row-scope.ts'
import { execute, nothing, queryRows, sql, type Sql } from '../sql.ts'

const personColumns = sql`"userId", "userName", email, "externalId", "displayName", "givenName", "familyName", "isActive",
  "isProvisioned", "createdAt", "updatedAt"`

export function scimStore(database: Database): ScimStore {
  return {
    findToken: (caller, workspaceId) =>
      database.asCallerSql(caller, async (client) => {
        const [token] = await queryRows<ScimToken>(
          client,
          sql`SELECT id, workspace_id AS "workspaceId", prefix, default_role AS "defaultRole",
              created_at AS "createdAt", last_used_at AS "lastUsedAt"
            FROM scim_tokens WHERE workspace_id = ${workspaceId}`,
        )
        return token
      }),

    setToken: (caller, { id, workspaceId, prefix, defaultRole, tokenHash }) =>
      database.asCallerSql(caller, async (client) => {
        mustAdminister(caller, workspaceId)
        await execute(
          client,
          sql`INSERT INTO scim_tokens (workspace_id, id, token_hash, prefix, default_role, created_by)
            VALUES (${workspaceId}, ${id}, ${tokenHash}, ${prefix}, ${defaultRole}, ${caller.principal.userId})
            ON CONFLICT (workspace_id) DO UPDATE SET id = ${id}, token_hash = ${tokenHash}, prefix = ${prefix},
              default_role = ${defaultRole}, created_by = ${caller.principal.userId}, created_at = now(),
              last_used_at = NULL`,
        )
      }),

    removeToken: (caller, workspaceId) =>
      database.asCallerSql(caller, async (client) => {
        mustAdminister(caller, workspaceId)
        const removed = await execute(
          client,
          sql`DELETE FROM scim_tokens WHERE workspace_id = ${workspaceId}`,
        )
        return removed > 0
      }),

    list: (caller, workspaceId, query, { skip, limit }) =>
      database.asCallerSql(caller, async (client) => {
        const people = peopleOf(workspaceId, query)
        const [counted] = await queryRows<{ total: number }>(
          client,
          sql`SELECT count(*) AS total FROM ${people}`,
        )
        const total = counted?.total ?? 0
        if (limit === 0 || total <= skip) return { people: [], total }
        const found = await queryRows<ScimPerson>(
          client,
          sql`SELECT ${personColumns} FROM ${people}
            ORDER BY "createdAt", "userId" OFFSET ${skip} LIMIT ${limit}`,
        )
        return { people: found, total }
      }),

    save: (caller, workspaceId, person) =>
      database.asCallerSql(caller, async (client) => {
        mustAdminister(caller, workspaceId)
        const { userId, userName, externalId, displayName, givenName, familyName, email } = person
        await execute(
          client,
          sql`INSERT INTO scim_users (workspace_id, user_id, user_name, user_name_key, external_id, display_name,
              given_name, family_name, email)
            VALUES (${workspaceId}, ${userId}, ${userName}, ${userName.toLowerCase()}, ${externalId},
              ${displayName}, ${givenName}, ${familyName}, ${email})
            ON CONFLICT (workspace_id, user_id) DO UPDATE SET user_name = excluded.user_name,
              user_name_key = excluded.user_name_key, external_id = excluded.external_id,
              display_name = excluded.display_name, given_name = excluded.given_name,
              family_name = excluded.family_name, email = excluded.email, updated_at = now()`,
        )
      }),

    forget: (caller, workspaceId, userId) =>
      database.asCallerSql(caller, async (client) => {
        mustAdminister(caller, workspaceId)
        await execute(
          client,
          sql`DELETE FROM scim_users WHERE workspace_id = ${workspaceId} AND user_id = ${userId}`,
        )
      }),
  }
}

/** Whom the identity provider of a workspace sees, as a table to select from. */
function peopleOf(workspaceId: string, { userId, userName, externalId, email }: ScimQuery): Sql {
  return sql`(
    SELECT person.user_id AS "userId",
      coalesce(told.user_name, users.email) AS "userName",
      coalesce(told.user_name_key, users.email) AS "userNameKey",
      coalesce(users.email, told.email) AS email,
      told.external_id AS "externalId",
      CASE WHEN told.user_id IS NULL THEN users.name ELSE told.display_name END AS "displayName",
      told.given_name AS "givenName",
      told.family_name AS "familyName",
      memberships.user_id IS NOT NULL AS "isActive",
      told.user_id IS NOT NULL AS "isProvisioned",
      coalesce(told.created_at, memberships.created_at) AS "createdAt",
      coalesce(told.updated_at, memberships.created_at) AS "updatedAt"
    FROM (
      SELECT user_id FROM memberships WHERE workspace_id = ${workspaceId}
      UNION SELECT user_id FROM scim_users WHERE workspace_id = ${workspaceId}
    ) AS person
      LEFT JOIN memberships ON memberships.workspace_id = ${workspaceId} AND memberships.user_id = person.user_id
      LEFT JOIN scim_users AS told ON told.workspace_id = ${workspaceId} AND told.user_id = person.user_id
      LEFT JOIN users ON users.id = person.user_id AND memberships.user_id IS NOT NULL
    WHERE told.user_id IS NOT NULL OR EXISTS (
      SELECT FROM sso_domains WHERE sso_domains.workspace_id = ${workspaceId} AND verified_at IS NOT NULL
        AND domain = split_part(users.email, '@', -1) COLLATE "C"
    )
  ) AS people
  WHERE true
    ${userId === undefined ? nothing : sql`AND "userId" = ${userId}`}
    ${userName === undefined ? nothing : sql`AND "userNameKey" = ${userName.toLowerCase()}`}
    ${externalId === undefined ? nothing : sql`AND "externalId" = ${externalId}`}
    ${email === undefined ? nothing : sql`AND email = ${email.toLowerCase()}`}`
}
