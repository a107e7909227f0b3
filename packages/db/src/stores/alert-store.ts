import { newId } from '@flamegate/contract'
import type { Alert, AlertState, AlertStore, WebhookEvent } from '@flamegate/operations/ports'
import type { ClientBase } from 'pg'
import type { Database } from '../database.ts'
import { mustWrite } from '../row-scope.ts'
import { execute, nothing, queryRows, sql, startAfter } from '../sql.ts'
import { storableText } from '../storable.ts'
import { tell } from './outbox.ts'

// A muted one whose time is over is open.
const state = sql`CASE WHEN alerts.state = 'muted' AND alerts.muted_until < now() THEN 'open' ELSE alerts.state END`

const selectAlerts = sql`SELECT alerts.id, alerts.workspace_id AS "workspaceId", alerts.project_id AS "projectId",
  alerts.benchmark_id AS "benchmarkId", benchmarks.uri, benchmarks.name, alerts.metric, alerts.branch, alerts.test,
  alerts.run_id AS "runId", alerts.raised_by_run_id AS "raisedByRunId", alerts.back_run_id AS "backRunId",
  runs.commit_hash AS "commitHash", runs.created_at AS "runCreatedAt", alerts.verdict, alerts.unit, alerts.baseline,
  alerts.value, alerts.crossed_limit AS "crossedLimit", alerts.change_percent AS "changePercent", alerts.reason,
  ${state} AS state, alerts.muted_until AS "mutedUntil", users.email AS "stateBy",
  coalesce(last_change.reason, '') AS "stateReason", last_change.created_at AS "stateAt",
  alerts.created_at AS "createdAt"
  FROM alerts
  JOIN benchmarks ON benchmarks.workspace_id = alerts.workspace_id AND benchmarks.id = alerts.benchmark_id
  JOIN runs ON runs.workspace_id = alerts.workspace_id AND runs.id = alerts.run_id
  LEFT JOIN LATERAL (
    SELECT reason, changed_by, created_at FROM alert_changes
    WHERE alert_changes.workspace_id = alerts.workspace_id AND alert_changes.alert_id = alerts.id
    ORDER BY id DESC LIMIT 1
  ) AS last_change ON true
  LEFT JOIN users ON users.id = last_change.changed_by`

export function alertStore(database: Database): AlertStore {
  return {
    find: (caller, id) => database.asCallerSql(caller, (client) => findAlert(client, id)),

    list: (caller, projectId, page, filter) =>
      database.asCallerSql(caller, (client) =>
        queryRows<Alert>(
          client,
          sql`${selectAlerts} WHERE alerts.project_id = ${projectId}
            ${filter.state === undefined ? nothing : sql`AND ${state} = ${filter.state}`}
            ${filter.verdict === undefined ? nothing : sql`AND alerts.verdict = ${filter.verdict}`}
            ${filter.branch === undefined ? nothing : sql`AND alerts.branch = ${filter.branch}`}
            ${filter.benchmarkId === undefined ? nothing : sql`AND alerts.benchmark_id = ${filter.benchmarkId}`}
            ${filter.metric === undefined ? nothing : sql`AND alerts.metric = ${filter.metric}`}
            ${filter.runId === undefined ? nothing : sql`AND ${filter.runId} IN (alerts.run_id, alerts.raised_by_run_id)`}
            ${startAfter(page.after, sql`alerts.created_at, alerts.id`)}
            ORDER BY alerts.created_at DESC, alerts.id DESC LIMIT ${page.limit + 1}`,
        ),
      ),

    listOfBenchmarks: (caller, projectId, benchmarkIds, filter = {}) =>
      database.asCallerSql(caller, (client) =>
        queryRows<Alert>(
          client,
          sql`${selectAlerts} WHERE alerts.project_id = ${projectId}
            AND alerts.benchmark_id = ANY (${benchmarkIds}::text[])
            ${filter.state === undefined ? nothing : sql`AND ${state} = ${filter.state}`}
            ${filter.branch === undefined ? nothing : sql`AND alerts.branch = ${filter.branch}`}
            ${filter.metric === undefined ? nothing : sql`AND alerts.metric = ${filter.metric}`}
            ORDER BY alerts.created_at, alerts.id`,
        ),
      ),

    raise: async (caller, { workspaceId, projectId }, alerts) => {
      if (alerts.length === 0) return []
      return database.asCallerSql(caller, async (client) => {
        mustWrite(caller, workspaceId)
        const added = await queryRows<{ id: string }>(
          client,
          sql`INSERT INTO alerts (workspace_id, id, project_id, benchmark_id, metric, branch, test, run_id,
              raised_by_run_id, verdict, unit, baseline, value, crossed_limit, change_percent, reason)
            SELECT ${workspaceId}, row.id, ${projectId}, row.benchmark_id, row.metric, row.branch, row.test, row.run_id,
              row.raised_by_run_id, row.verdict, row.unit, row.baseline, row.value, row.crossed_limit,
              row.change_percent, row.reason
            FROM unnest(
              ${alerts.map(() => newId('alert'))}::text[],
              ${alerts.map((alert) => alert.benchmarkId)}::text[],
              ${alerts.map((alert) => alert.metric)}::text[],
              ${alerts.map((alert) => alert.branch)}::text[],
              ${alerts.map((alert) => alert.test)}::text[],
              ${alerts.map((alert) => alert.runId)}::text[],
              ${alerts.map((alert) => alert.raisedByRunId)}::text[],
              ${alerts.map((alert) => alert.verdict)}::text[],
              ${alerts.map((alert) => alert.unit)}::text[],
              ${alerts.map((alert) => alert.baseline)}::double precision[],
              ${alerts.map((alert) => alert.value)}::double precision[],
              ${alerts.map((alert) => alert.crossedLimit)}::double precision[],
              ${alerts.map((alert) => alert.changePercent)}::double precision[],
              ${alerts.map((alert) => alert.reason)}::text[]
            ) AS row (id, benchmark_id, metric, branch, test, run_id, raised_by_run_id, verdict, unit, baseline, value,
              crossed_limit, change_percent, reason)
            ON CONFLICT DO NOTHING RETURNING id`,
        )
        await tell(client, {
          workspaceId,
          projectId,
          event: 'alert.opened',
          subjectIds: added.map(({ id }) => id),
        })
        return queryRows<Alert>(
          client,
          sql`${selectAlerts} WHERE alerts.workspace_id = ${workspaceId}
            AND alerts.id = ANY (${added.map(({ id }) => id)}::text[]) ORDER BY alerts.id`,
        )
      })
    },

    changeState: (caller, id, change) =>
      database.asCallerSql(caller, async (client) => {
        const alert = await findAlert(client, id)
        if (!alert) return undefined
        mustWrite(caller, alert.workspaceId)
        await execute(
          client,
          sql`UPDATE alerts SET state = ${change.state}, muted_until = ${change.mutedUntil ?? null},
              back_run_id = coalesce(${change.backRunId ?? null}, back_run_id)
            WHERE workspace_id = ${alert.workspaceId} AND id = ${id}`,
        )
        await execute(
          client,
          sql`INSERT INTO alert_changes (workspace_id, id, project_id, alert_id, state, reason, changed_by)
            VALUES (${alert.workspaceId}, ${newId('alertChange')}, ${alert.projectId}, ${id}, ${change.state},
              ${storableText(change.reason)}, ${caller.principal.userId})`,
        )
        const event = eventOf(change.state)
        if (event !== undefined && change.state !== alert.state) {
          await tell(client, { ...alert, event, subjectIds: [id] })
        }
        return findAlert(client, id)
      }),
  }
}

function eventOf(changedTo: AlertState): WebhookEvent | undefined {
  if (changedTo === 'open') return 'alert.opened'
  return changedTo === 'resolved' ? 'alert.resolved' : undefined
}

async function findAlert(client: ClientBase, id: string): Promise<Alert | undefined> {
  const [alert] = await queryRows<Alert>(client, sql`${selectAlerts} WHERE alerts.id = ${id}`)
  return alert
}
