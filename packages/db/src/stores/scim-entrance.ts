import type { ScimEntrance, ScimToken } from '@flamegate/operations/ports'
import type { Database } from '../database.ts'
import { execute, queryRows, sql } from '../sql.ts'
import { removeInvitationOf } from './invitation-of.ts'

/** Tokens of identity providers, and who comes in by them, as `flamegate_auth`. */
export function scimEntrance(database: Database): ScimEntrance {
  const { auth } = database
  return {
    async findToken(tokenHash) {
      const [found] = await queryRows<ScimToken & { isUseStale: boolean }>(
        auth,
        sql`SELECT scim_tokens.id, workspace_id AS "workspaceId", prefix, default_role AS "defaultRole",
            scim_tokens.created_at AS "createdAt", last_used_at AS "lastUsedAt",
            coalesce(last_used_at < now() - interval '1 minute', true) AS "isUseStale"
          FROM scim_tokens JOIN workspaces ON workspaces.id = workspace_id AND deletes_at IS NULL
          WHERE token_hash = ${tokenHash}`,
      )
      if (found === undefined) return undefined
      const { isUseStale, ...token } = found
      if (isUseStale) {
        await execute(auth, sql`UPDATE scim_tokens SET last_used_at = now() WHERE token_hash = ${tokenHash}`)
      }
      return token
    },

    join: (workspaceId, userId, role) =>
      database.asAuth(async (client) => {
        await execute(
          client,
          sql`INSERT INTO memberships (workspace_id, user_id, role) VALUES (${workspaceId}, ${userId}, ${role})
            ON CONFLICT (workspace_id, user_id) DO NOTHING`,
        )
        await execute(client, removeInvitationOf(workspaceId, userId))
      }),
  }
}
