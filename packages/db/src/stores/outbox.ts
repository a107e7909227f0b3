import { newId } from '@flamegate/contract'
import {
  letsThrough,
  type BenchResult,
  type LiveAlertEvent,
  type Notification,
  type RunEvent,
  type WebhookEvent,
} from '@flamegate/operations/ports'
import type { ClientBase } from 'pg'
import type { Database } from '../database.ts'
import { execute, queryRows, sql } from '../sql.ts'

interface Happening {
  workspaceId: string
  projectId: string
  event: WebhookEvent
  /** Of the alerts, or the run. */
  subjectIds: readonly string[]
  /** Whether GitHub is to be told as well, if the project asked for that. */
  isForGithub?: boolean
}

/**
 * Puts a message for everybody who wants to hear of it into the outbox, in the transaction in which it happens. One
 * that tells of the same and was not tried yet is enough: its words are found with its first attempt.
 */
export async function tell(client: ClientBase, happening: Happening): Promise<void> {
  const { workspaceId, projectId, event, subjectIds, isForGithub = false } = happening
  if (subjectIds.length === 0) return
  const targets = await queryRows<{ webhookId: string | null }>(
    client,
    sql`SELECT webhook_id AS "webhookId" FROM (
        SELECT id AS webhook_id FROM webhooks
          WHERE workspace_id = ${workspaceId} AND project_id = ${projectId} AND is_active AND ${event} = ANY (events)
        UNION ALL SELECT NULL FROM github_reports
          WHERE ${isForGithub} AND workspace_id = ${workspaceId} AND project_id = ${projectId}
      ) AS target
      WHERE NOT EXISTS (SELECT FROM deliveries WHERE deliveries.workspace_id = ${workspaceId}
        AND deliveries.project_id = ${projectId} AND deliveries.webhook_id IS NOT DISTINCT FROM target.webhook_id
        AND deliveries.event = ${event} AND deliveries.subject_ids = ${subjectIds}::text[]
        AND deliveries.next_at IS NOT NULL AND deliveries.attempts = 0)`,
  )
  if (targets.length === 0) return
  await execute(
    client,
    sql`INSERT INTO deliveries (workspace_id, id, project_id, webhook_id, event, subject_ids, next_at)
      SELECT ${workspaceId}, row.id, ${projectId}, row.webhook_id, ${event}, ${subjectIds}::text[], now()
      FROM unnest(${targets.map(() => newId('delivery'))}::text[],
        ${targets.map(({ webhookId }) => webhookId)}::text[]) AS row (id, webhook_id)`,
  )
}

/**
 * Puts a message for everybody who wants to hear what became of a run into the outbox, in the transaction in which it happens.
 * Whoever chose several of the events hears of the first one of them.
 */
export async function tellOfRun(
  client: ClientBase,
  run: BenchResult,
  events: readonly RunEvent[],
): Promise<void> {
  if (events.length === 0) return
  const interested = await queryRows<
    Pick<Notification, 'id' | 'events' | 'filter'> & { scenarioName: string }
  >(
    client,
    sql`SELECT notified.id, notified.events, filter,
        coalesce(bench_results.plan #>> '{scenario,name}', bench_results.name) AS "scenarioName"
      FROM flamegate_notified(${run.workspaceId}, ${[...events]}::text[]) AS notified
        JOIN bench_results ON bench_results.workspace_id = ${run.workspaceId} AND bench_results.id = ${run.id}`,
  )
  for (const { id, events: chosen, filter, scenarioName } of interested) {
    const event = events.find((each) => chosen.includes(each))
    if (event === undefined || !letsThrough(filter, { ...run, scenarioName })) continue
    // oxlint-disable-next-line no-await-in-loop -- one transaction has one connection
    await execute(
      client,
      sql`INSERT INTO deliveries (workspace_id, id, project_id, notification_id, event, subject_ids, next_at)
        VALUES (${run.workspaceId}, ${newId('delivery')}, ${run.projectId}, ${id}, ${event},
          ${[run.id]}::text[], now())`,
    )
  }
}

/**
 * The same for an alert about a program that runs. Of filters only the project counts: it has no scenario, no users and no
 * duration.
 */
export async function tellOfLiveAlert(
  client: ClientBase,
  { workspaceId, projectId, id }: { workspaceId: string; projectId: string; id: string },
  event: LiveAlertEvent,
): Promise<void> {
  const interested = await queryRows<Pick<Notification, 'id' | 'filter'>>(
    client,
    sql`SELECT id, filter FROM flamegate_notified(${workspaceId}, ${[event]}::text[])`,
  )
  for (const { id: notificationId, filter } of interested) {
    if (filter.project_id !== null && filter.project_id !== projectId) continue
    // oxlint-disable-next-line no-await-in-loop -- one transaction has one connection
    await execute(
      client,
      sql`INSERT INTO deliveries (workspace_id, id, project_id, notification_id, event, subject_ids, next_at)
        VALUES (${workspaceId}, ${newId('delivery')}, ${projectId}, ${notificationId}, ${event}, ${[id]}::text[], now())`,
    )
  }
}

/**
 * Messages of all workspaces that are due, those that wait longest first; but the first of each workspace before the
 * second of any, so that whoever has many keeps nobody waiting.
 */
export function dueDeliveries(
  database: Database,
  limit: number,
): Promise<{ workspaceId: string; id: string }[]> {
  return queryRows(
    database.auth,
    sql`SELECT "workspaceId", id FROM (
        SELECT workspace_id AS "workspaceId", id, next_at,
          row_number() OVER (PARTITION BY workspace_id ORDER BY next_at) AS place
        FROM deliveries WHERE next_at <= now()
      ) AS due ORDER BY place, next_at LIMIT ${limit}`,
  )
}
