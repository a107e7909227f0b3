import { resultFilePurposes, type UnmadeFiles } from '@flamegate/operations/ports'
import type { Database } from './database.ts'
import { queryRows, sql } from './sql.ts'

const purposes = sql`purpose = ANY (${[...resultFilePurposes]}::text[])`
const runsMax = 100

/**
 * Files of all workspaces whose run is gone, pieces of logs that nothing was made of within three days of its end, and what could not
 * be made within one; the oldest first.
 */
export function findLeftResultFiles(
  database: Database,
  { limit }: { limit: number },
): Promise<{ workspaceId: string; id: string }[]> {
  return queryRows(
    database.auth,
    sql`SELECT workspace_id AS "workspaceId", id FROM files
      WHERE ${purposes} AND (bench_result_id IS NULL
        OR (purpose = 'request_log_piece' AND created_at < now() - interval '3 days'
          AND EXISTS (SELECT FROM bench_results AS run WHERE run.workspace_id = files.workspace_id
            AND run.id = files.bench_result_id AND run.ended_at < now() - interval '3 days'))
        OR (purpose <> 'request_log_piece' AND status = 'PENDING' AND created_at < now() - interval '1 day'))
      ORDER BY created_at LIMIT ${limit}`,
  )
}

/** Runs of all workspaces of which a file was to be made more than two minutes ago: the job may be lost. */
export function findUnmadeFiles(database: Database): Promise<UnmadeFiles[]> {
  return queryRows(
    database.auth,
    sql`SELECT DISTINCT workspace_id AS "workspaceId", bench_result_id AS "benchResultId" FROM files
      WHERE ${purposes} AND purpose NOT IN ('request_log_piece', 'page_trace') AND status = 'PENDING'
        AND bench_result_id IS NOT NULL
        AND created_at BETWEEN now() - interval '1 day' AND now() - interval '2 minutes'
      LIMIT ${runsMax}`,
  )
}
