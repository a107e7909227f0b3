import { importJobNames, type ForgottenTask } from '@flamegate/operations/ports'
import type { Database } from './database.ts'
import { queryRows, sql } from './sql.ts'

const tasksMax = 100

/** What is worked on as soon as it is asked for. */
const promptKinds = ['validate_virtual_user', 'print_bench_report', 'export_workspace']

/** What a collector does, and how long nothing may be heard of it: the longest that it may take, and more than is spared it. */
const collectedHours = { capture_profile: 2, measure_mcp_server: 25 }

/**
 * Tasks of all workspaces whose job may be lost, those that wait longest first: validations and prints that nobody began within a
 * minute, imports that nobody began an hour after the last moment at which their upload could come, those of all that
 * nobody has told of for a quarter of an hour, and what a collector was to do and has not ended by itself.
 */
export function findForgottenTasks(database: Database): Promise<ForgottenTask[]> {
  return queryRows<ForgottenTask>(
    database.auth,
    sql`SELECT workspace_id AS "workspaceId", id,
        CASE WHEN kind = ANY (${Object.keys(collectedHours)}::text[]) THEN 'end_capture' ELSE kind END AS job
      FROM tasks
      WHERE status IN ('PENDING', 'RUNNING')
        AND kind = ANY (${[...promptKinds, ...importJobNames, ...Object.keys(collectedHours)]}::text[])
        AND updated_at < now() - CASE
          WHEN kind = 'capture_profile' THEN make_interval(hours => ${collectedHours.capture_profile}::int)
          WHEN kind = 'measure_mcp_server' THEN make_interval(hours => ${collectedHours.measure_mcp_server}::int)
          WHEN status = 'RUNNING' THEN interval '15 minutes'
          WHEN kind = ANY (${promptKinds}::text[]) THEN interval '1 minute'
          ELSE interval '2 hours' END
      ORDER BY updated_at LIMIT ${tasksMax}`,
  )
}
