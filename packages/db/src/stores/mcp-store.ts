import type {
  McpBounds,
  McpLeft,
  McpRefusal,
  McpReported,
  McpSession,
  McpStore,
  McpTarget,
  McpTargetWithLast,
} from '@flamegate/operations/ports'
import type { ClientBase } from 'pg'
import type { Database } from '../database.ts'
import { mustWrite } from '../row-scope.ts'
import { execute, nothing, queryRows, sql, startAfter } from '../sql.ts'
import { storableJson, storableText } from '../storable.ts'
import { keptBytes } from './kept-bytes.ts'
import { packLive, unpackLive } from './live-content.ts'

const targetColumns = sql`mcp_targets.id, mcp_targets.workspace_id AS "workspaceId", mcp_targets.project_id AS "projectId",
  mcp_targets.name, address, transport, operations, arguments, note, monitor, monitor_next_at AS "monitorNextAt",
  mcp_targets.created_at AS "createdAt", mcp_targets.updated_at AS "updatedAt"`

// What is past its time is not there any more, whenever the worker comes to remove it.
const isKept = sql`(mcp_sessions.expires_at IS NULL OR mcp_sessions.expires_at > now())`

const selectTargetsWithLast = sql`SELECT ${targetColumns},
    (SELECT count(*)::int FROM mcp_sessions WHERE mcp_sessions.workspace_id = mcp_targets.workspace_id
      AND mcp_target_id = mcp_targets.id AND figures IS NOT NULL AND ${isKept}) AS sessions,
    (SELECT count(*)::int FROM live_alerts WHERE live_alerts.workspace_id = mcp_targets.workspace_id
      AND live_alerts.mcp_target_id = mcp_targets.id AND until IS NULL) AS alerts,
    last.id AS "lastId", last.started_at AS "lastStartedAt", last.command AS "lastCommand", last.figures AS "lastFigures"
  FROM mcp_targets
  LEFT JOIN LATERAL (SELECT id, started_at, command, figures FROM mcp_sessions
    WHERE mcp_sessions.workspace_id = mcp_targets.workspace_id AND mcp_target_id = mcp_targets.id
      AND figures IS NOT NULL AND ${isKept}
    ORDER BY started_at DESC, id DESC LIMIT 1) AS last ON true`

// What was left behind says that it went well, whatever becomes of the task.
const selectSessions = sql`SELECT mcp_sessions.id, mcp_sessions.workspace_id AS "workspaceId",
    mcp_sessions.project_id AS "projectId", mcp_target_id AS "mcpTargetId", mcp_targets.name AS target, command, label,
    origin, measurement, task_id AS "taskId", collector_id AS "collectorId", collector,
    CASE WHEN started_at IS NOT NULL THEN 'SUCCESS' ELSE coalesce(tasks.status, 'FAILED') END AS status,
    CASE WHEN started_at IS NOT NULL THEN ''
      ELSE coalesce(tasks.problem ->> 'detail', tasks.message, '') END AS message,
    server_version AS "serverVersion", started_at AS "startedAt", figures, profile_ids AS "profileIds",
    size_bytes AS "sizeBytes", mcp_sessions.created_by AS "createdBy", mcp_sessions.created_at AS "createdAt",
    mcp_sessions.expires_at AS "expiresAt"
  FROM mcp_sessions
  JOIN mcp_targets ON mcp_targets.workspace_id = mcp_sessions.workspace_id AND mcp_targets.id = mcp_target_id
  LEFT JOIN tasks ON tasks.workspace_id = mcp_sessions.workspace_id AND tasks.id = task_id`

const isWaiting = sql`taken_at IS NULL AND EXISTS (SELECT FROM tasks
  WHERE tasks.workspace_id = mcp_sessions.workspace_id AND tasks.id = task_id AND tasks.status = 'PENDING')`

/** MCP servers that are measured, and their sessions. */
export function mcpStore(database: Database): McpStore {
  return {
    listTargets: (caller, projectId) =>
      database.asCallerSql(caller, async (client) => {
        const rows = await queryRows<TargetRow>(
          client,
          sql`${selectTargetsWithLast} WHERE mcp_targets.project_id = ${projectId} ORDER BY mcp_targets.name`,
        )
        return rows.map(withLast)
      }),

    findTarget: (caller, id) =>
      database.asCallerSql(caller, async (client) => {
        const [row] = await queryRows<TargetRow>(
          client,
          sql`${selectTargetsWithLast} WHERE mcp_targets.id = ${id}`,
        )
        return row && withLast(row)
      }),

    findTargetNamed: (caller, projectId, { name, address }) =>
      database.asCallerSql(caller, async (client) => {
        const [target] = await queryRows<McpTarget>(
          client,
          sql`SELECT ${targetColumns} FROM mcp_targets
            WHERE project_id = ${projectId} AND (name = ${name} OR address = ${address})
            ORDER BY name = ${name} DESC, created_at LIMIT 1`,
        )
        return target
      }),

    addTarget: (caller, target, { targetsOfProjectMax }) =>
      database.asCallerSql(caller, async (client) => {
        mustWrite(caller, target.workspaceId)
        const [added] = await queryRows<McpTarget>(
          client,
          sql`INSERT INTO mcp_targets (workspace_id, id, project_id, name, address, transport, operations, arguments, note,
              created_by)
            SELECT ${target.workspaceId}, ${target.id}, ${target.projectId}, ${target.name},
              ${target.address === null ? null : storableText(target.address)}, ${target.transport},
              ${target.operations}::text[], ${storableJson(target.arguments)}::jsonb, ${storableText(target.note)},
              ${caller.principal.userId}
            WHERE (SELECT count(*) FROM mcp_targets
              WHERE workspace_id = ${target.workspaceId} AND project_id = ${target.projectId})
              < ${bound(targetsOfProjectMax)}::bigint
            RETURNING ${targetColumns}`,
        )
        return added
      }),

    updateTarget: (caller, id, change) =>
      database.asCallerSql(caller, async (client) => {
        const [before] = await queryRows<McpTarget>(
          client,
          sql`SELECT ${targetColumns} FROM mcp_targets WHERE id = ${id} FOR UPDATE`,
        )
        if (before === undefined) return
        mustWrite(caller, before.workspaceId)
        const { name, address, transport, operations, note, monitor, ...after } = { ...before, ...change }
        // A monitor begins at once, also with other settings.
        const nextAt =
          change.monitor === undefined
            ? sql`monitor_next_at`
            : change.monitor === null
              ? sql`NULL`
              : sql`now()`
        await execute(
          client,
          sql`UPDATE mcp_targets SET name = ${name}, address = ${address === null ? null : storableText(address)},
              transport = ${transport}, operations = ${operations}::text[],
              arguments = ${storableJson(after.arguments)}::jsonb, note = ${storableText(note)},
              monitor = ${monitor === null ? null : storableJson(monitor)}::jsonb, monitor_next_at = ${nextAt},
              updated_at = now()
            WHERE workspace_id = ${before.workspaceId} AND id = ${id}`,
        )
      }),

    removeTarget: (caller, id) =>
      database.asCallerSql(caller, async (client) => {
        const [target] = await queryRows<{ workspaceId: string }>(
          client,
          sql`SELECT workspace_id AS "workspaceId" FROM mcp_targets WHERE id = ${id}`,
        )
        if (target === undefined) return
        mustWrite(caller, target.workspaceId)
        await execute(
          client,
          sql`DELETE FROM mcp_targets WHERE workspace_id = ${target.workspaceId} AND id = ${id}`,
        )
      }),

    takeDue: (caller, { id, workspaceId }, names) =>
      database.asCallerSql(caller, async (client) => {
        mustWrite(caller, workspaceId)
        return queryRows<McpTarget>(
          client,
          sql`UPDATE mcp_targets SET monitor_next_at = now() + make_interval(secs => (monitor ->> 'intervalSeconds')::int)
            WHERE workspace_id = ${workspaceId} AND project_id = ${id} AND name = ANY (${names}::text[])
              AND monitor IS NOT NULL AND monitor_next_at <= now()
              AND NOT EXISTS (SELECT FROM mcp_sessions
                JOIN tasks ON tasks.workspace_id = mcp_sessions.workspace_id AND tasks.id = task_id
                WHERE mcp_sessions.workspace_id = mcp_targets.workspace_id AND mcp_target_id = mcp_targets.id
                  AND origin = 'monitor' AND tasks.status IN ('PENDING', 'RUNNING'))
            RETURNING ${targetColumns}`,
        )
      }),

    listSessions: (caller, projectId, page, { mcpTargetId }) =>
      database.asCallerSql(caller, (client) =>
        queryRows<McpSession>(
          client,
          sql`${selectSessions} WHERE mcp_sessions.project_id = ${projectId} AND ${isKept}
            ${mcpTargetId === undefined ? nothing : sql`AND mcp_target_id = ${mcpTargetId}`}
            ${startAfter(page.after, sql`mcp_sessions.created_at, mcp_sessions.id`)}
            ORDER BY mcp_sessions.created_at DESC, mcp_sessions.id DESC LIMIT ${page.limit + 1}`,
        ),
      ),

    findSession: (caller, id) => database.asCallerSql(caller, (client) => findSession(client, id)),

    reported: (caller, mcpTargetId, { limit, command, label, notAfter, before }) =>
      database.asCallerSql(caller, (client) =>
        queryRows<McpSession>(
          client,
          sql`${selectSessions} WHERE mcp_target_id = ${mcpTargetId} AND figures IS NOT NULL AND ${isKept}
            ${command === undefined ? nothing : sql`AND command = ${command}`}
            ${label === undefined ? nothing : sql`AND label = ${label}`}
            ${notAfter === undefined ? nothing : sql`AND started_at <= ${notAfter}`}
            ${before === undefined ? nothing : sql`AND started_at < ${before}`}
            ORDER BY started_at DESC, mcp_sessions.id DESC LIMIT ${limit}`,
        ),
      ),

    report: (caller, sessionId) =>
      database.asCallerSql(caller, async (client) => {
        const [row] = await queryRows<{ content: Buffer }>(
          client,
          sql`SELECT content FROM mcp_reports WHERE mcp_session_id = ${sessionId}`,
        )
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- packed by `store` below
        return row && (unpackLive(row.content) as McpLeft)
      }),

    order: (caller, order, bounds) =>
      database.asCallerSql(caller, async (client) => {
        mustWrite(caller, order.workspaceId)
        if (await isFull(client, order, bounds)) return { refused: 'too_many_sessions' }
        await execute(
          client,
          sql`INSERT INTO mcp_sessions (workspace_id, id, project_id, mcp_target_id, command, label, origin, measurement,
              task_id, collector_id, collector, created_by, expires_at)
            VALUES (${order.workspaceId}, ${order.id}, ${order.projectId}, ${order.mcpTargetId},
              ${order.measurement.command}, ${order.label === null ? null : storableText(order.label)}, ${order.origin},
              ${storableJson(order.measurement)}::jsonb, ${order.taskId}, ${order.collectorId}, ${order.collector},
              ${caller.principal.userId}, ${order.expiresAt})`,
        )
        return undefined
      }),

    nextOrder: (caller, collectorId) =>
      database.asCallerSql(caller, async (client) => {
        const [order] = await queryRows<{
          id: string
          taskId: string
          server: string
          measurement: NonNullable<McpSession['measurement']>
        }>(
          client,
          sql`SELECT mcp_sessions.id, task_id AS "taskId", mcp_targets.name AS server, measurement FROM mcp_sessions
            JOIN mcp_targets ON mcp_targets.workspace_id = mcp_sessions.workspace_id AND mcp_targets.id = mcp_target_id
            WHERE collector_id = ${collectorId} AND ${isWaiting}
            ORDER BY mcp_sessions.created_at, mcp_sessions.id LIMIT 1`,
        )
        return order
      }),

    takeOrder: (caller, id) =>
      database.asCallerSql(caller, async (client) => {
        const session = await findSession(client, id)
        if (session === undefined) return false
        mustWrite(caller, session.workspaceId)
        const taken = await execute(
          client,
          sql`UPDATE mcp_sessions SET taken_at = now()
            WHERE workspace_id = ${session.workspaceId} AND id = ${id} AND taken_at IS NULL AND task_id IS NOT NULL`,
        )
        return taken === 1
      }),

    keepReport: (caller, { id, workspaceId }, reported, bounds) =>
      database.asCallerSql(caller, async (client) => {
        mustWrite(caller, workspaceId)
        // One that has a report keeps it.
        const [session] = await queryRows<{ projectId: string }>(
          client,
          sql`SELECT project_id AS "projectId" FROM mcp_sessions
            WHERE workspace_id = ${workspaceId} AND id = ${id} AND started_at IS NULL FOR UPDATE`,
        )
        if (session === undefined) return { refused: 'ended' }
        const content = packLive(leftOf(reported))
        const refusal = await whyTooLarge(client, workspaceId, content, bounds)
        if (refusal === undefined)
          await store(client, { id, workspaceId, projectId: session.projectId }, reported, content)
        return refusal
      }),

    addSession: (caller, session, reported, bounds) =>
      database.asCallerSql(caller, async (client) => {
        mustWrite(caller, session.workspaceId)
        if (await isFull(client, session, bounds)) return { refused: 'too_many_sessions' }
        const content = packLive(leftOf(reported))
        const refusal = await whyTooLarge(client, session.workspaceId, content, bounds)
        if (refusal !== undefined) return refusal
        await execute(
          client,
          sql`INSERT INTO mcp_sessions (workspace_id, id, project_id, mcp_target_id, command, label, origin, created_by,
              expires_at)
            VALUES (${session.workspaceId}, ${session.id}, ${session.projectId}, ${session.mcpTargetId}, ${session.command},
              ${session.label === null ? null : storableText(session.label)}, 'uploaded', ${caller.principal.userId},
              ${session.expiresAt})`,
        )
        await store(client, session, reported, content)
        return undefined
      }),

    removeSession: (caller, id) =>
      database.asCallerSql(caller, async (client) => {
        const session = await findSession(client, id)
        if (session === undefined) return false
        const { workspaceId } = session
        mustWrite(caller, workspaceId)
        const removed = await execute(
          client,
          sql`DELETE FROM mcp_sessions WHERE workspace_id = ${workspaceId} AND id = ${id}`,
        )
        return removed > 0
      }),

    countBytes: (caller, workspaceId) =>
      database.asCallerSql(caller, (client) => keptBytes(client, workspaceId, 'mcp_reports')),
  }
}

type TargetRow = McpTarget & { sessions: number; alerts: number } & (
    | { lastId: string; lastStartedAt: Date; lastCommand: string; lastFigures: McpFiguresOfRow }
    | { lastId: null; lastStartedAt: null; lastCommand: null; lastFigures: null }
  )
type McpFiguresOfRow = NonNullable<McpSession['figures']>

function withLast({
  lastId,
  lastStartedAt,
  lastCommand,
  lastFigures,
  ...target
}: TargetRow): McpTargetWithLast {
  const last =
    lastId === null
      ? null
      : { id: lastId, startedAt: lastStartedAt, command: lastCommand, figures: lastFigures }
  return { ...target, last }
}

async function findSession(client: ClientBase, id: string): Promise<McpSession | undefined> {
  const [session] = await queryRows<McpSession>(client, sql`${selectSessions} WHERE mcp_sessions.id = ${id}`)
  return session
}

/** Whether a target has as many sessions as it may have. */
async function isFull(
  client: ClientBase,
  { workspaceId, mcpTargetId }: Pick<McpSession, 'workspaceId' | 'mcpTargetId'>,
  { sessionsOfTargetMax }: McpBounds,
): Promise<boolean> {
  const [counted] = await queryRows<{ sessions: number }>(
    client,
    sql`SELECT count(*)::int AS sessions FROM mcp_sessions
      WHERE workspace_id = ${workspaceId} AND mcp_target_id = ${mcpTargetId} AND ${isKept}`,
  )
  return (counted?.sessions ?? 0) >= sessionsOfTargetMax
}

async function whyTooLarge(
  client: ClientBase,
  workspaceId: string,
  content: Buffer,
  { bytesOfWorkspaceMax }: McpBounds,
): Promise<McpRefusal | undefined> {
  const kept = await keptBytes(client, workspaceId, 'mcp_reports')
  return kept + content.length > bytesOfWorkspaceMax
    ? { refused: 'too_large', neededBytes: content.length, keptBytes: kept }
    : undefined
}

/** Stores the report of a session that is there, with its numbers. */
async function store(
  client: ClientBase,
  { id, workspaceId, projectId }: Pick<McpSession, 'id' | 'workspaceId' | 'projectId'>,
  { startedAt, serverVersion, figures, profileIds }: McpReported,
  content: Buffer,
): Promise<void> {
  await execute(
    client,
    sql`INSERT INTO mcp_reports (workspace_id, mcp_session_id, project_id, content)
      VALUES (${workspaceId}, ${id}, ${projectId}, ${content})`,
  )
  await execute(
    client,
    sql`UPDATE mcp_sessions SET started_at = ${startedAt},
        server_version = ${serverVersion === null ? null : storableText(serverVersion)},
        figures = ${figures && storableJson(figures)}::jsonb, profile_ids = ${profileIds}::text[], size_bytes = ${content.length}
      WHERE workspace_id = ${workspaceId} AND id = ${id}`,
  )
}

function leftOf({ report, result }: McpReported): McpLeft {
  return { report, result }
}

/** Postgres has no infinite integer. */
function bound(max: number): number {
  return Number.isFinite(max) ? max : Number.MAX_SAFE_INTEGER
}
