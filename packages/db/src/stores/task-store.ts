import type { Task, TaskStore } from '@flamegate/operations/ports'
import type { ClientBase } from 'pg'
import type { Database } from '../database.ts'
import { mustWrite } from '../row-scope.ts'
import { execute, queryRows, sql } from '../sql.ts'
import { storableJson, storableText } from '../storable.ts'

export function taskStore(database: Database): TaskStore {
  return {
    find: (caller, id) => database.asCallerSql(caller, (client) => findTask(client, id)),

    ageMs: (caller, id) =>
      database.asCallerSql(caller, async (client) => {
        const [task] = await queryRows<{ ageMs: number }>(
          client,
          sql`SELECT (extract(epoch FROM now() - created_at) * 1000)::float8 AS "ageMs" FROM tasks WHERE id = ${id}`,
        )
        return task?.ageMs
      }),

    create: (caller, task) =>
      database.asCallerSql(caller, async (client) => {
        await execute(
          client,
          sql`INSERT INTO tasks (workspace_id, id, project_id, kind, message, result, created_by)
            VALUES (${task.workspaceId}, ${task.id}, ${task.projectId}, ${task.kind}, ${task.message},
              ${task.result && storableJson(task.result)}, ${caller.principal.userId})`,
        )
        const created = await findTask(client, task.id)
        if (!created) throw new Error(`Task ${task.id} is gone`)
        return created
      }),

    progress: (caller, id, { percent, message }) =>
      database.asCallerSql(caller, async (client) => {
        const task = await findTask(client, id)
        if (!task) return false
        mustWrite(caller, task.workspaceId)
        const [going] = await queryRows<{ goesOn: boolean }>(
          client,
          sql`UPDATE tasks SET status = 'RUNNING', progress_percent = ${Math.round(percent)},
              message = ${storableText(message)}, updated_at = now()
            WHERE workspace_id = ${task.workspaceId} AND id = ${id} AND status IN ('PENDING', 'RUNNING')
            RETURNING cancel_requested_at IS NULL AS "goesOn"`,
        )
        return going?.goesOn ?? false
      }),

    requestCancel: (caller, id) =>
      database.asCallerSql(caller, async (client) => {
        const task = await findTask(client, id)
        if (!task) return undefined
        mustWrite(caller, task.workspaceId)
        await execute(
          client,
          sql`UPDATE tasks SET cancel_requested_at = coalesce(cancel_requested_at, now()), updated_at = now(),
              status = CASE status WHEN 'PENDING' THEN 'CANCELLED' ELSE status END,
              message = CASE status WHEN 'PENDING' THEN 'Cancelled' ELSE 'Asked to stop' END,
              finished_at = CASE status WHEN 'PENDING' THEN now() END
            WHERE workspace_id = ${task.workspaceId} AND id = ${id} AND status IN ('PENDING', 'RUNNING')`,
        )
        return findTask(client, id)
      }),

    reopen: (caller, id) =>
      database.asCallerSql(caller, async (client) => {
        const task = await findTask(client, id)
        if (!task) return
        mustWrite(caller, task.workspaceId)
        await execute(
          client,
          sql`UPDATE tasks SET status = 'PENDING', progress_percent = 0, message = 'Waiting to be done again',
              problem = NULL, finished_at = NULL, updated_at = now()
            WHERE workspace_id = ${task.workspaceId} AND id = ${id} AND status = 'FAILED'
              AND problem ->> 'code' = 'internal'`,
        )
      }),

    remove: (caller, id) =>
      database.asCallerSql(caller, async (client) => {
        const task = await findTask(client, id)
        if (!task) return
        mustWrite(caller, task.workspaceId)
        await execute(client, sql`DELETE FROM tasks WHERE workspace_id = ${task.workspaceId} AND id = ${id}`)
      }),

    finish: (caller, id, outcome) =>
      database.asCallerSql(caller, async (client) => {
        const task = await findTask(client, id)
        if (!task) return
        mustWrite(caller, task.workspaceId)
        const end =
          'result' in outcome
            ? sql`status = 'SUCCESS', progress_percent = 100, message = 'Done', result = ${storableJson(outcome.result)}`
            : 'problem' in outcome
              ? sql`status = 'FAILED', problem = ${storableJson(outcome.problem)}`
              : sql`status = 'CANCELLED', message = 'Cancelled'`
        await execute(
          client,
          sql`UPDATE tasks SET ${end}, updated_at = now(), finished_at = now()
            WHERE workspace_id = ${task.workspaceId} AND id = ${id} AND status IN ('PENDING', 'RUNNING')`,
        )
      }),
  }
}

async function findTask(client: ClientBase, id: string): Promise<Task | undefined> {
  const [task] = await queryRows<Task>(
    client,
    sql`SELECT id, workspace_id AS "workspaceId", project_id AS "projectId", kind, status,
        progress_percent AS "progressPercent", message, result, problem, created_by AS "createdBy",
        created_at AS "createdAt", updated_at AS "updatedAt", finished_at AS "finishedAt"
      FROM tasks WHERE id = ${id}`,
  )
  return task
}
