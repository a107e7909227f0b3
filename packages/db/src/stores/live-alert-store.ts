import { newId } from '@flamegate/contract'
import type {
  AlertState,
  JudgedApp,
  LiveAlert,
  LiveAlertEvent,
  LiveAlertStore,
  LiveApp,
  StoredAlertThresholds,
  WatchedApp,
  WebhookEvent,
} from '@flamegate/operations/ports'
import type { ClientBase } from 'pg'
import type { Database } from '../database.ts'
import { mustWrite } from '../row-scope.ts'
import { execute, nothing, queryRows, sql, startAfter } from '../sql.ts'
import { storableJson, storableText } from '../storable.ts'
import { toldLately } from './live-lately.ts'
import { tell, tellOfLiveAlert } from './outbox.ts'

// A muted one whose time is over is open.
const state = sql`CASE WHEN live_alerts.state = 'muted' AND live_alerts.muted_until < now() THEN 'open'
  ELSE live_alerts.state END`

const selectAlerts = sql`SELECT live_alerts.id, live_alerts.workspace_id AS "workspaceId",
  live_alerts.project_id AS "projectId",
  CASE WHEN live_alerts.mcp_target_id IS NULL THEN 'live_app' ELSE 'mcp_target' END AS "targetKind",
  coalesce(live_alerts.live_app_id, live_alerts.mcp_target_id) AS "targetId",
  coalesce(live_apps.name, mcp_targets.name) AS "targetName", live_alerts.mcp_session_id AS "mcpSessionId",
  live_alerts.type, live_alerts.subject, live_alerts.unit, live_alerts.value,
  live_alerts.crossed_limit AS "crossedLimit", live_alerts.for_seconds AS "forSeconds", live_alerts.reason,
  live_alerts.since, live_alerts.until, ${state} AS state, live_alerts.muted_until AS "mutedUntil",
  users.email AS "stateBy", live_alerts.state_reason AS "stateReason", live_alerts.state_at AS "stateAt",
  live_alerts.created_at AS "createdAt"
  FROM live_alerts
  LEFT JOIN live_apps
    ON live_apps.workspace_id = live_alerts.workspace_id AND live_apps.id = live_alerts.live_app_id
  LEFT JOIN mcp_targets
    ON mcp_targets.workspace_id = live_alerts.workspace_id AND mcp_targets.id = live_alerts.mcp_target_id
  LEFT JOIN users ON users.id = live_alerts.state_by`

const selectThresholds = sql`SELECT workspace_id AS "workspaceId", project_id AS "projectId",
  target_kind AS "targetKind", coalesce(live_app_id, mcp_target_id) AS "targetId", thresholds FROM alert_thresholds`

/** Several workers look for apps; one that was judged since is left alone. */
const judgedForSeconds = 3

export function liveAlertStore(database: Database): LiveAlertStore {
  return {
    find: (caller, id) => database.asCallerSql(caller, (client) => findAlert(client, id)),

    list: (caller, projectId, page, filter) =>
      database.asCallerSql(caller, (client) =>
        queryRows<LiveAlert>(
          client,
          sql`${selectAlerts} WHERE live_alerts.project_id = ${projectId}
            ${filter.state === undefined ? nothing : sql`AND ${state} = ${filter.state}`}
            ${filter.targetKind === undefined ? nothing : sql`AND live_alerts.mcp_target_id IS ${filter.targetKind === 'live_app' ? nothing : sql`NOT`} NULL`}
            ${filter.targetId === undefined ? nothing : sql`AND ${filter.targetId} IN (live_alerts.live_app_id, live_alerts.mcp_target_id)`}
            ${startAfter(page.after, sql`live_alerts.created_at, live_alerts.id`)}
            ORDER BY live_alerts.created_at DESC, live_alerts.id DESC LIMIT ${page.limit + 1}`,
        ),
      ),

    changeState: (caller, id, change) =>
      database.asCallerSql(caller, async (client) => {
        const seen = await findAlert(client, id)
        if (!seen) return undefined
        mustWrite(caller, seen.workspaceId)
        // Looked at again under the lock: what somebody else has just told of is not told of again.
        await execute(
          client,
          sql`SELECT FROM live_alerts WHERE workspace_id = ${seen.workspaceId} AND id = ${id} FOR UPDATE`,
        )
        const alert = await findAlert(client, id)
        if (!alert) return undefined
        await execute(
          client,
          sql`UPDATE live_alerts SET state = ${change.state}, muted_until = ${change.mutedUntil ?? null},
              state_by = ${caller.principal.userId}, state_reason = ${storableText(change.reason)}, state_at = now()
            WHERE workspace_id = ${alert.workspaceId} AND id = ${id}`,
        )
        if (change.state !== alert.state) await tellOf(client, alert, change.state, [id])
        return findAlert(client, id)
      }),

    listThresholds: (caller, projectId) =>
      database.asCallerSql(caller, (client) =>
        queryRows<StoredAlertThresholds>(
          client,
          sql`${selectThresholds} WHERE project_id = ${projectId} ORDER BY id`,
        ),
      ),

    setThresholds: (caller, { workspaceId, projectId, targetKind, targetId, thresholds, isReset }) =>
      database.asCallerSql(caller, async (client) => {
        mustWrite(caller, workspaceId)
        const [liveAppId, mcpTargetId] = targetKind === 'live_app' ? [targetId, null] : [null, targetId]
        if (isReset && Object.keys(thresholds).length === 0) {
          await execute(
            client,
            sql`DELETE FROM alert_thresholds WHERE workspace_id = ${workspaceId} AND project_id = ${projectId}
              AND target_kind = ${targetKind} AND coalesce(live_app_id, mcp_target_id) IS NOT DISTINCT FROM ${targetId}`,
          )
          return
        }
        const all = sql`excluded.thresholds`
        await execute(
          client,
          sql`INSERT INTO alert_thresholds (workspace_id, id, project_id, target_kind, live_app_id, mcp_target_id,
              thresholds, updated_by)
            VALUES (${workspaceId}, ${newId('threshold')}, ${projectId}, ${targetKind}, ${liveAppId}, ${mcpTargetId},
              ${storableJson(thresholds)}::jsonb, ${caller.principal.userId})
            ON CONFLICT (workspace_id, project_id, target_kind, live_app_id, mcp_target_id) DO UPDATE
              SET thresholds = ${isReset ? all : sql`alert_thresholds.thresholds || ${all}`},
                updated_by = excluded.updated_by, updated_at = now()`,
        )
      }),

    listLasting: (caller, projectId) =>
      database.asCallerSql(caller, (client) =>
        queryRows<Pick<LiveAlert, 'targetId' | 'type'>>(
          client,
          sql`SELECT coalesce(live_app_id, mcp_target_id) AS "targetId", type FROM live_alerts
            WHERE project_id = ${projectId} AND until IS NULL`,
        ),
      ),

    told: (caller, app, sections) =>
      database.asCallerSql(caller, (client) => toldLately(client, app, sections)),

    take: (caller, { workspaceId, id }) =>
      database.asCallerSql(caller, async (client) => {
        mustWrite(caller, workspaceId)
        const [taken] = await queryRows<Pick<WatchedApp, 'streaks'>>(
          client,
          sql`INSERT INTO live_alert_watches (workspace_id, live_app_id, project_id, judged_at)
            SELECT workspace_id, id, project_id, now() FROM live_apps
              WHERE workspace_id = ${workspaceId} AND id = ${id} FOR KEY SHARE
            ON CONFLICT (workspace_id, live_app_id) DO UPDATE SET judged_at = now()
              WHERE live_alert_watches.judged_at < now() - make_interval(secs => ${judgedForSeconds})
            RETURNING streaks`,
        )
        return taken && watchedApp(client, { workspaceId, id }, taken.streaks)
      }),

    note: (caller, app, judged) =>
      database.asCallerSql(caller, async (client) => {
        mustWrite(caller, app.workspaceId)
        await execute(
          client,
          sql`UPDATE live_alert_watches SET streaks = ${storableJson(judged.streaks)}::jsonb
            WHERE workspace_id = ${app.workspaceId} AND live_app_id = ${app.id}`,
        )
        await noteJudged(client, { ...app, ofTarget: null }, judged)
      }),

    watchedMcpTarget: (caller, { workspaceId, projectId, id }) =>
      database.asCallerSql(caller, async (client) => {
        const [project] = await queryRows<{ isOff: boolean }>(
          client,
          sql`SELECT alerts_off_since IS NOT NULL AS "isOff" FROM projects
            WHERE workspace_id = ${workspaceId} AND id = ${projectId}`,
        )
        const thresholds = await queryRows<StoredAlertThresholds>(
          client,
          sql`${selectThresholds} WHERE workspace_id = ${workspaceId} AND project_id = ${projectId}
            AND target_kind = 'mcp_target' AND (mcp_target_id IS NULL OR mcp_target_id = ${id})`,
        )
        const lasting = await queryRows<WatchedApp['lasting'][number]>(
          client,
          sql`SELECT id, type FROM live_alerts
            WHERE workspace_id = ${workspaceId} AND mcp_target_id = ${id} AND until IS NULL`,
        )
        return { thresholds, isOff: project?.isOff ?? false, lasting }
      }),

    noteMcpSession: (caller, { sessionId, ...target }, judged) =>
      database.asCallerSql(caller, async (client) => {
        mustWrite(caller, target.workspaceId)
        await noteJudged(client, { ...target, ofTarget: { sessionId } }, judged)
      }),
  }
}

async function watchedApp(
  client: ClientBase,
  { workspaceId, id }: Pick<LiveApp, 'id' | 'workspaceId'>,
  streaks: WatchedApp['streaks'],
): Promise<WatchedApp | undefined> {
  const [found] = await queryRows<LiveApp & { isOff: boolean }>(
    client,
    sql`SELECT live_apps.id, live_apps.workspace_id AS "workspaceId", project_id AS "projectId", live_apps.name,
        live_apps.created_at AS "createdAt", last_push_at AS "lastPushAt", ended_at AS "endedAt",
        size_bytes AS "sizeBytes", projects.alerts_off_since IS NOT NULL AS "isOff"
      FROM live_apps JOIN projects ON projects.workspace_id = live_apps.workspace_id AND projects.id = project_id
      WHERE live_apps.workspace_id = ${workspaceId} AND live_apps.id = ${id}`,
  )
  if (found === undefined) return undefined
  const { isOff, ...app } = found
  const thresholds = await queryRows<StoredAlertThresholds>(
    client,
    sql`${selectThresholds} WHERE workspace_id = ${workspaceId} AND project_id = ${app.projectId}
      AND target_kind = 'live_app' AND (live_app_id IS NULL OR live_app_id = ${id})`,
  )
  const lasting = await queryRows<WatchedApp['lasting'][number]>(
    client,
    sql`SELECT id, type FROM live_alerts
      WHERE workspace_id = ${workspaceId} AND live_app_id = ${id} AND until IS NULL`,
  )
  return { app, thresholds, isOff, streaks, lasting }
}

async function noteJudged(
  client: ClientBase,
  {
    workspaceId,
    id,
    projectId,
    ofTarget,
  }: Pick<LiveApp, 'id' | 'workspaceId' | 'projectId'> & { ofTarget: { sessionId: string } | null },
  { opened, closed }: Omit<JudgedApp, 'streaks'>,
): Promise<void> {
  const place = { workspaceId, projectId }
  const [ofWhat, columns, values] =
    ofTarget === null
      ? [sql`live_apps`, sql`live_app_id`, sql`id`]
      : [sql`mcp_targets`, sql`mcp_target_id, mcp_session_id`, sql`id, ${ofTarget.sessionId}`]
  for (const alert of opened) {
    // oxlint-disable-next-line no-await-in-loop -- one transaction has one connection
    const added = await queryRows<{ id: string }>(
      client,
      sql`INSERT INTO live_alerts (workspace_id, id, project_id, ${columns}, type, subject, unit, value, crossed_limit,
          for_seconds, reason, since)
        SELECT ${workspaceId}, ${newId('liveAlert')}, ${projectId}, ${values}, ${alert.type}, ${storableText(alert.subject)},
          ${alert.unit}, ${alert.value}::float8, ${alert.crossedLimit}::float8, ${alert.forSeconds}::int,
          ${storableText(alert.reason)}, ${alert.since}
        FROM ${ofWhat} WHERE workspace_id = ${workspaceId} AND id = ${id} FOR KEY SHARE
        ON CONFLICT DO NOTHING RETURNING id`,
    )
    const ids = added.map((row) => row.id)
    // oxlint-disable-next-line no-await-in-loop -- the same
    await tellOf(client, place, 'open', ids)
  }
  for (const { id: alertId, until, reason } of closed) {
    // What somebody resolved before it was over stays theirs, and is told of once.
    // oxlint-disable-next-line no-await-in-loop -- the same
    const ended = await queryRows<{ wasResolved: boolean }>(
      client,
      sql`UPDATE live_alerts SET until = greatest(${until}, live_alerts.since), state = 'resolved', muted_until = NULL,
          state_by = CASE WHEN before.state = 'resolved' THEN live_alerts.state_by END,
          state_reason = CASE WHEN before.state = 'resolved' THEN live_alerts.state_reason ELSE ${storableText(reason)} END,
          state_at = CASE WHEN before.state = 'resolved' THEN live_alerts.state_at ELSE now() END
        FROM (SELECT state FROM live_alerts WHERE workspace_id = ${workspaceId} AND id = ${alertId} FOR UPDATE) AS before
        WHERE workspace_id = ${workspaceId} AND id = ${alertId} AND until IS NULL
        RETURNING before.state = 'resolved' AS "wasResolved"`,
    )
    // oxlint-disable-next-line no-await-in-loop -- the same
    if (ended[0]?.wasResolved === false) await tellOf(client, place, 'resolved', [alertId])
  }
}

/** By webhooks of the project, and notifications of its workspace. */
async function tellOf(
  client: ClientBase,
  place: { workspaceId: string; projectId: string },
  changedTo: AlertState,
  ids: readonly string[],
): Promise<void> {
  const event = eventsOf(changedTo)
  const [id] = ids
  if (event === undefined || id === undefined) return
  await tell(client, { ...place, event: event.webhook, subjectIds: ids })
  await tellOfLiveAlert(client, { ...place, id }, event.notification)
}

function eventsOf(
  changedTo: AlertState,
): { webhook: WebhookEvent; notification: LiveAlertEvent } | undefined {
  if (changedTo === 'open') return { webhook: 'live_alert.opened', notification: 'live_alert_opened' }
  return changedTo === 'resolved'
    ? { webhook: 'live_alert.resolved', notification: 'live_alert_resolved' }
    : undefined
}

async function findAlert(client: ClientBase, id: string): Promise<LiveAlert | undefined> {
  const [alert] = await queryRows<LiveAlert>(client, sql`${selectAlerts} WHERE live_alerts.id = ${id}`)
  return alert
}
