import type { ApiTokenProof, IdentityStore } from '@flamegate/operations/ports'
import type { Database } from '../database.ts'
import { execute, queryRows, sql, type Sql } from '../sql.ts'

/** API tokens that are good now, as `flamegate_auth`. */
export function apiTokenProofs({ auth }: Database): Pick<IdentityStore, 'findApiToken' | 'findApiTokenById'> {
  async function findGood(condition: Sql): Promise<(ApiTokenProof & { tokenHash: string }) | undefined> {
    // A token is worth what its owner is: nothing without a membership.
    const [token] = await queryRows<ApiTokenProof & { tokenHash: string; isUseStale: boolean }>(
      auth,
      sql`SELECT api_tokens.id, api_tokens.name, api_tokens.user_id AS "userId",
          api_tokens.workspace_id AS "workspaceId", api_tokens.project_id AS "projectId", api_tokens.live_app_id AS "liveAppId",
          api_tokens.scopes, api_tokens.expires_at AS "expiresAt",
          api_tokens.token_hash AS "tokenHash",
          coalesce(api_tokens.last_used_at < now() - interval '1 minute', true) AS "isUseStale"
        FROM api_tokens JOIN memberships USING (workspace_id, user_id)
          JOIN users ON users.id = api_tokens.user_id AND users.disabled_at IS NULL
        WHERE ${condition} AND api_tokens.revoked_at IS NULL
          AND (api_tokens.expires_at IS NULL OR api_tokens.expires_at > now())
          AND (api_tokens.project_id IS NULL OR api_tokens.live_app_id IS NOT NULL OR EXISTS (SELECT FROM projects
            WHERE projects.workspace_id = api_tokens.workspace_id AND projects.id = api_tokens.project_id
              AND projects.keyless_uploads_by = api_tokens.user_id))
          AND NOT EXISTS (SELECT FROM oauth_clients WHERE client_id = api_tokens.id AND blocked_at IS NOT NULL)`,
    )
    if (!token) return undefined
    const { isUseStale, ...proof } = token
    if (isUseStale)
      await execute(
        auth,
        sql`UPDATE api_tokens SET last_used_at = now() WHERE token_hash = ${proof.tokenHash}`,
      )
    return proof
  }

  return {
    async findApiToken(secretHash) {
      const found = await findGood(sql`api_tokens.token_hash = ${secretHash}`)
      if (!found) return undefined
      const { tokenHash: _secret, ...proof } = found
      return proof
    },
    findApiTokenById: (id) => findGood(sql`api_tokens.id = ${id}`),
  }
}
