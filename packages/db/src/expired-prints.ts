import type { Database } from './database.ts'
import { queryRows, sql } from './sql.ts'

/** Prints of reports of all workspaces that are past their time, those that have been for longest first. */
export function findExpiredPrints(
  database: Database,
  { limit }: { limit: number },
): Promise<{ workspaceId: string; id: string }[]> {
  return queryRows(
    database.auth,
    sql`SELECT workspace_id AS "workspaceId", id FROM files
      WHERE purpose = 'print_bench_report' AND expires_at < now()
      ORDER BY expires_at LIMIT ${limit}`,
  )
}
