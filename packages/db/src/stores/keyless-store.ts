import type { KeylessProject, KeylessStore } from '@flamegate/operations/ports'
import type { Database } from '../database.ts'
import { execute, queryRows, sql } from '../sql.ts'

/** Uploads without a stored secret, as `flamegate_auth`. */
export function keylessStore({ auth }: Database): KeylessStore {
  return {
    listProjects: (repository) =>
      queryRows<KeylessProject>(
        auth,
        sql`SELECT projects.id, projects.workspace_id AS "workspaceId", memberships.user_id AS "userId"
          FROM projects JOIN memberships ON memberships.workspace_id = projects.workspace_id
            AND memberships.user_id = projects.keyless_uploads_by
            JOIN users ON users.id = memberships.user_id AND users.disabled_at IS NULL
            JOIN workspaces ON workspaces.id = memberships.workspace_id AND workspaces.deletes_at IS NULL
          WHERE lower(projects.repository) = lower(${repository}) AND memberships.role <> 'viewer'
          ORDER BY projects.id`,
      ),

    async addToken(project, { id, name, prefix, tokenHash, expiresAt }) {
      await execute(
        auth,
        sql`INSERT INTO api_tokens (workspace_id, id, user_id, project_id, name, prefix, token_hash, scopes, expires_at)
          VALUES (${project.workspaceId}, ${id}, ${project.userId}, ${project.id}, ${name}, ${prefix}, ${tokenHash},
            ${['upload']}, ${expiresAt})`,
      )
    },
  }
}
