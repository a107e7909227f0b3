import type { Database } from './database.ts'
import { queryRows, sql } from './sql.ts'

/** Prints of reports and archives of all workspaces that are past their time, those that have been for longest first. */
export function findExpiredPrints(
  database: Database,
  { limit }: { limit: number },
): Promise<{ workspaceId: string; id: string }[]> {
  return queryRows(
    database.auth,
    sql`SELECT workspace_id AS "workspaceId", id FROM files
      WHERE purpose IN ('print_bench_report', 'export_workspace') AND expires_at < now()
      ORDER BY expires_at LIMIT ${limit}`,
  )
}
