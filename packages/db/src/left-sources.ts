import { sourceJobNames } from '@flamegate/operations/ports'
import type { Database } from './database.ts'
import { queryRows, sql } from './sql.ts'

/** Files of all workspaces that were given to be imported a day ago or longer, and are still there; the oldest first. */
export function findLeftSources(
  database: Database,
  { limit }: { limit: number },
): Promise<{ workspaceId: string; id: string }[]> {
  return queryRows(
    database.auth,
    sql`SELECT workspace_id AS "workspaceId", id FROM files
      WHERE purpose = ANY (${[...sourceJobNames]}::text[]) AND created_at < now() - interval '1 day'
      ORDER BY created_at LIMIT ${limit}`,
  )
}
