import type { CaptureOrder, Collector, CollectorStore } from '@flamegate/operations/ports'
import type { ClientBase } from 'pg'
import type { Database } from '../database.ts'
import { mustWrite } from '../row-scope.ts'
import { execute, queryRows, sql } from '../sql.ts'
import { storableJson, storableText } from '../storable.ts'

const collectorColumns = sql`id, workspace_id AS "workspaceId", project_id AS "projectId", name, version, captures,
  mcp_servers AS "mcpServers", last_seen_at AS "lastSeenAt"`

const orderColumns = sql`task_id AS "taskId", workspace_id AS "workspaceId", project_id AS "projectId",
  collector_id AS "collectorId", name, type, seconds`

/** A name can be anything: whoever makes up many does not fill the database. */
const mostOfProject = 50

export function collectorStore(database: Database): CollectorStore {
  return {
    list: (caller, projectId) =>
      database.asCallerSql(caller, (client) =>
        queryRows<Collector>(
          client,
          sql`SELECT ${collectorColumns} FROM collectors
            WHERE project_id = ${projectId} AND last_seen_at > now() - interval '7 days' ORDER BY name`,
        ),
      ),

    find: (caller, id) =>
      database.asCallerSql(caller, async (client) => {
        const [collector] = await queryRows<Collector>(
          client,
          sql`SELECT ${collectorColumns} FROM collectors WHERE id = ${id}`,
        )
        return collector
      }),

    connect: (caller, { id, workspaceId, projectId, name, version, captures, mcpServers }) =>
      database.asCallerSql(caller, async (client) => {
        mustWrite(caller, workspaceId)
        const [known] = await queryRows<Collector>(
          client,
          sql`UPDATE collectors SET version = ${storableText(version)}, captures = ${storableJson(captures)},
              mcp_servers = ${storableJson(mcpServers)}, last_seen_at = now()
            WHERE workspace_id = ${workspaceId} AND project_id = ${projectId} AND name = ${name}
            RETURNING ${collectorColumns}`,
        )
        if (known) return known
        await execute(
          client,
          sql`DELETE FROM collectors WHERE workspace_id = ${workspaceId} AND project_id = ${projectId}
            AND last_seen_at <= now() - interval '7 days'`,
        )
        const [created] = await queryRows<Collector>(
          client,
          sql`INSERT INTO collectors (workspace_id, id, project_id, name, version, captures, mcp_servers,
              created_by)
            SELECT ${workspaceId}, ${id}, ${projectId}, ${name}, ${storableText(version)},
              ${storableJson(captures)}::jsonb, ${storableJson(mcpServers)}::jsonb, ${caller.principal.userId}
            WHERE (SELECT count(*) FROM collectors
              WHERE workspace_id = ${workspaceId} AND project_id = ${projectId}) < ${mostOfProject}
            ON CONFLICT (workspace_id, project_id, name) DO UPDATE SET last_seen_at = now()
            RETURNING ${collectorColumns}`,
        )
        return created
      }),

    order: (caller, order) =>
      database.asCallerSql(caller, async (client) => {
        mustWrite(caller, order.workspaceId)
        await execute(
          client,
          sql`INSERT INTO captures (workspace_id, task_id, project_id, collector_id, name, type, seconds)
            VALUES (${order.workspaceId}, ${order.taskId}, ${order.projectId}, ${order.collectorId},
              ${order.name}, ${order.type}, ${order.seconds})`,
        )
      }),

    findOrder: (caller, taskId) => database.asCallerSql(caller, (client) => findOrder(client, taskId)),

    nextOrder: (caller, collectorId) =>
      database.asCallerSql(caller, async (client) => {
        const [order] = await queryRows<CaptureOrder>(
          client,
          sql`SELECT ${orderColumns} FROM captures
            WHERE collector_id = ${collectorId} AND started_at IS NULL AND EXISTS (
              SELECT FROM tasks WHERE tasks.workspace_id = captures.workspace_id
                AND tasks.id = captures.task_id AND tasks.status = 'PENDING')
            ORDER BY created_at, task_id LIMIT 1`,
        )
        return order
      }),

    start: (caller, taskId) =>
      database.asCallerSql(caller, async (client) => {
        const order = await findOrder(client, taskId)
        if (!order) return false
        mustWrite(caller, order.workspaceId)
        const started = await execute(
          client,
          sql`UPDATE captures SET started_at = now()
            WHERE workspace_id = ${order.workspaceId} AND task_id = ${taskId} AND started_at IS NULL`,
        )
        return started === 1
      }),
  }
}

async function findOrder(client: ClientBase, taskId: string): Promise<CaptureOrder | undefined> {
  const [order] = await queryRows<CaptureOrder>(
    client,
    sql`SELECT ${orderColumns} FROM captures WHERE task_id = ${taskId}`,
  )
  return order
}
