import type { Database } from './database.ts'
import { queryRows, sql } from './sql.ts'

const appsMax = 1_000

/** Live apps of all workspaces that are to be held against thresholds: those that push, and those with an alert that lasts. */
export function findLiveAppsToJudge(database: Database): Promise<{ workspaceId: string; id: string }[]> {
  return queryRows(
    database.auth,
    sql`SELECT workspace_id AS "workspaceId", id FROM live_apps
      WHERE (ended_at IS NULL AND last_push_at > now() - interval '5 minutes' AND EXISTS (
          SELECT FROM alert_thresholds WHERE alert_thresholds.workspace_id = live_apps.workspace_id
            AND alert_thresholds.project_id = live_apps.project_id
            AND alert_thresholds.target_kind = 'live_app'
            AND (alert_thresholds.live_app_id IS NULL OR alert_thresholds.live_app_id = live_apps.id)))
        OR EXISTS (SELECT FROM live_alerts WHERE live_alerts.workspace_id = live_apps.workspace_id
          AND live_alerts.live_app_id = live_apps.id AND until IS NULL)
      ORDER BY last_push_at LIMIT ${appsMax}::int`,
  )
}
