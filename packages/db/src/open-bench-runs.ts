import type { OpenBenchRun } from '@flamegate/operations/ports'
import type { Database } from './database.ts'
import { queryRows, sql } from './sql.ts'

const runsMax = 1_000

/** Runs of all workspaces that have not ended, the oldest first, and for how long nobody saw to them. */
export function findOpenBenchRuns(database: Database): Promise<OpenBenchRun[]> {
  return queryRows<OpenBenchRun>(
    database.auth,
    sql`SELECT workspace_id AS "workspaceId", id,
        (extract(epoch FROM now() - coalesce(watched_at, created_at)) * 1000)::float8 AS "unwatchedMs"
      FROM bench_results WHERE state IN ('PENDING', 'PREPARING', 'RUNNING', 'STOPPING')
      ORDER BY created_at LIMIT ${runsMax}`,
  )
}
