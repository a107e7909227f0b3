import type { ScheduleStore, StoredSchedule } from '@flamegate/operations/ports'
import type { ClientBase } from 'pg'
import type { Database } from '../database.ts'
import { mustWrite } from '../row-scope.ts'
import { execute, nothing, queryRows, sql } from '../sql.ts'
import { storableJson, storableText } from '../storable.ts'

const columns = sql`id, workspace_id AS "workspaceId", project_id AS "projectId", scenario_id AS "scenarioId", name,
  document, agents_max AS "agentsMax", is_enabled AS "isEnabled", next_run_at AS "nextRunAt",
  waiting_since AS "waitingSince", starting_since AS "startingSince", firings, created_by AS "createdBy",
  created_at AS "createdAt"`

/** They are listed as a whole, and each is looked at when it is due. */
const perProjectMax = 100

export function scheduleStore(database: Database): ScheduleStore {
  return {
    create: (caller, { id, workspaceId, projectId, scenarioId, name, document, agentsMax, nextRunAt }) =>
      database.asCallerSql(caller, async (client) => {
        mustWrite(caller, workspaceId)
        const [created] = await queryRows<StoredSchedule>(
          client,
          sql`INSERT INTO schedules (workspace_id, id, project_id, scenario_id, name, document, agents_max,
              next_run_at, created_by)
            SELECT ${workspaceId}, ${id}, ${projectId}, ${scenarioId}, ${storableText(name)},
              ${storableJson(document)}::jsonb, ${agentsMax}::int, ${nextRunAt}::timestamptz,
              ${caller.principal.userId}
            WHERE (SELECT count(*) FROM schedules
              WHERE workspace_id = ${workspaceId} AND project_id = ${projectId}) < ${perProjectMax}
            RETURNING ${columns}`,
        )
        return created
      }),

    find: (caller, id) => database.asCallerSql(caller, (client) => findSchedule(client, id)),

    list: (caller, { projectId, scenarioId }) =>
      database.asCallerSql(caller, (client) =>
        queryRows<StoredSchedule>(
          client,
          sql`SELECT ${columns} FROM schedules WHERE project_id = ${projectId}
            ${scenarioId === undefined ? nothing : sql`AND scenario_id = ${scenarioId}`}
            ORDER BY created_at DESC, id DESC`,
        ),
      ),

    change: (caller, id, decide) =>
      database.asCallerSql(caller, async (client) => {
        const seen = await findSchedule(client, id)
        if (seen === undefined) return undefined
        mustWrite(caller, seen.workspaceId)
        const schedule = await findSchedule(client, id, sql`FOR UPDATE`)
        if (schedule === undefined) return undefined
        const change = decide(schedule)
        if (Object.keys(change).length === 0) return schedule
        const to = { ...schedule, ...change }
        const [changed] = await queryRows<StoredSchedule>(
          client,
          sql`UPDATE schedules SET is_enabled = ${to.isEnabled}, next_run_at = ${to.nextRunAt},
              waiting_since = ${to.waitingSince}, starting_since = ${to.startingSince},
              firings = ${storableJson(to.firings)}::jsonb, updated_at = now()
            WHERE workspace_id = ${schedule.workspaceId} AND id = ${id} RETURNING ${columns}`,
        )
        return changed
      }),

    remove: (caller, id) =>
      database.asCallerSql(caller, async (client) => {
        const schedule = await findSchedule(client, id)
        if (schedule === undefined) return false
        mustWrite(caller, schedule.workspaceId)
        const removed = await execute(
          client,
          sql`DELETE FROM schedules WHERE workspace_id = ${schedule.workspaceId} AND id = ${id}`,
        )
        return removed > 0
      }),
  }
}

async function findSchedule(
  client: ClientBase,
  id: string,
  locking = nothing,
): Promise<StoredSchedule | undefined> {
  const [schedule] = await queryRows<StoredSchedule>(
    client,
    sql`SELECT ${columns} FROM schedules WHERE id = ${id} ${locking}`,
  )
  return schedule
}
