import type { UnjudgedRun } from '@flamegate/operations/ports'
import type { Database } from './database.ts'
import { queryRows, sql } from './sql.ts'

const runsMax = 100

/** Runs of all workspaces that nobody judged in so many milliseconds, at most 100, those that wait longest first. */
export function findUnjudgedRuns(
  database: Database,
  { olderThanMs }: { olderThanMs: number },
): Promise<UnjudgedRun[]> {
  return queryRows<UnjudgedRun>(
    database.auth,
    sql`SELECT workspace_id AS "workspaceId", id AS "runId", unjudged_since AS since FROM runs
      WHERE unjudged_since < now() - make_interval(secs => ${olderThanMs / 1000})
      ORDER BY unjudged_since LIMIT ${runsMax}`,
  )
}
