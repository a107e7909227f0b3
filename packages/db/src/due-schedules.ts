import type { DueSchedule } from '@flamegate/operations/ports'
import type { Database } from './database.ts'
import { queryRows, sql } from './sql.ts'

const schedulesMax = 100

/**
 * Schedules of all workspaces that are due, those that wait longest first, and those whose run was to be started a minute ago and
 * was not, because the job for it may be lost.
 */
export function findDueSchedules(database: Database): Promise<DueSchedule[]> {
  return queryRows<DueSchedule>(
    database.auth,
    sql`SELECT workspace_id AS "workspaceId", id FROM schedules
      WHERE (next_run_at <= now() AND starting_since IS NULL) OR starting_since < now() - interval '1 minute'
      ORDER BY next_run_at LIMIT ${schedulesMax}`,
  )
}
