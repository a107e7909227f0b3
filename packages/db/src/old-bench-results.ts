import type { Database } from './database.ts'
import { queryRows, sql } from './sql.ts'

/** Runs of all workspaces that ended that long ago, oldest first. Baselines are not among them. */
export function findOldBenchResults(
  database: Database,
  { limit, days }: { limit: number; days: number },
): Promise<{ workspaceId: string; id: string }[]> {
  return queryRows(
    database.auth,
    sql`SELECT workspace_id AS "workspaceId", id FROM bench_results
      WHERE ended_at < now() - make_interval(days => ${days}) AND NOT is_baseline
      ORDER BY ended_at LIMIT ${limit}`,
  )
}
