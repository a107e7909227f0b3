import { importJobNames, type ForgottenTask } from '@flamegate/operations/ports'
import type { Database } from './database.ts'
import { queryRows, sql } from './sql.ts'

const tasksMax = 100

/** What is worked on as soon as it is asked for. */
const promptKinds = ['validate_virtual_user', 'print_bench_report', 'export_workspace']

/**
 * Tasks of all workspaces whose job may be lost, those that wait longest first: validations and prints that nobody began within a
 * minute, imports that nobody began an hour after the last moment at which their upload could come, and those of all that
 * nobody has told of for a quarter of an hour.
 */
export function findForgottenTasks(database: Database): Promise<ForgottenTask[]> {
  return queryRows<ForgottenTask>(
    database.auth,
    sql`SELECT workspace_id AS "workspaceId", id, kind FROM tasks
      WHERE status IN ('PENDING', 'RUNNING') AND kind = ANY (${[...promptKinds, ...importJobNames]}::text[])
        AND updated_at < now() - CASE
          WHEN status = 'RUNNING' THEN interval '15 minutes'
          WHEN kind = ANY (${promptKinds}::text[]) THEN interval '1 minute'
          ELSE interval '2 hours' END
      ORDER BY updated_at LIMIT ${tasksMax}`,
  )
}
