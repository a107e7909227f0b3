import type { Database } from './database.ts'
import { queryRows, sql } from './sql.ts'

/**
 * Validations of all workspaces that are past their time, those that have been for longest first. The latest of each virtual user
 * is not among them.
 */
export function findExpiredValidations(
  database: Database,
  { limit }: { limit: number },
): Promise<{ workspaceId: string; id: string }[]> {
  return queryRows(
    database.auth,
    sql`SELECT workspace_id AS "workspaceId", id FROM validations
      WHERE expires_at < now() AND EXISTS (SELECT FROM validations AS later
        WHERE later.workspace_id = validations.workspace_id
          AND later.virtual_user_id = validations.virtual_user_id
          AND (later.created_at, later.id) > (validations.created_at, validations.id))
      ORDER BY expires_at LIMIT ${limit}`,
  )
}
