import type { Delivery, DeliveryStore } from '@flamegate/operations/ports'
import type { ClientBase } from 'pg'
import type { Database } from '../database.ts'
import { mustWrite } from '../row-scope.ts'
import { execute, nothing, queryRows, sql, startAfter } from '../sql.ts'
import { storableText } from '../storable.ts'

const columns = sql`id, workspace_id AS "workspaceId", project_id AS "projectId", webhook_id AS "webhookId",
  notification_id AS "notificationId", event, subject_ids AS "subjectIds", body, attempts, next_at AS "nextAt", attempted_at AS "attemptedAt",
  delivered_at AS "deliveredAt", response_status AS "responseStatus", response_excerpt AS "responseExcerpt",
  duration_ms AS "durationMs", created_at AS "createdAt"`

export function deliveryStore(database: Database): DeliveryStore {
  return {
    find: (caller, id) => database.asCallerSql(caller, (client) => findDelivery(client, id)),

    list: (caller, of, page) =>
      database.asCallerSql(caller, (client) =>
        queryRows<Delivery>(
          client,
          sql`SELECT ${columns} FROM deliveries WHERE ${
            'notificationId' in of
              ? sql`notification_id = ${of.notificationId}`
              : sql`project_id = ${of.projectId} AND notification_id IS NULL
                ${of.webhookId === undefined ? nothing : sql`AND webhook_id = ${of.webhookId}`}`
          }
            ${startAfter(page.after, sql`created_at, id`)}
            ORDER BY created_at DESC, id DESC LIMIT ${page.limit + 1}`,
        ),
      ),

    take: (caller, { workspaceId, id, attempts }, nextAt) =>
      database.asCallerSql(caller, async (client) => {
        mustWrite(caller, workspaceId)
        const [taken] = await queryRows<Delivery>(
          client,
          sql`UPDATE deliveries SET attempts = attempts + 1, attempted_at = now(), next_at = ${nextAt}
            WHERE workspace_id = ${workspaceId} AND id = ${id} AND attempts = ${attempts} AND next_at <= now()
            RETURNING ${columns}`,
        )
        return taken
      }),

    keepBody: async (caller, id, body) => {
      await database.asCallerSql(caller, (client) =>
        execute(client, sql`UPDATE deliveries SET body = ${storableText(body)} WHERE id = ${id}`),
      )
    },

    noteOutcome: async (caller, id, outcome) => {
      const { wasDelivered, responseStatus, responseExcerpt, durationMs, retryAfterSeconds = 0 } = outcome
      await database.asCallerSql(caller, (client) =>
        execute(
          client,
          sql`UPDATE deliveries SET response_status = ${responseStatus},
              response_excerpt = ${storableText(responseExcerpt)}, duration_ms = ${durationMs},
              ${
                wasDelivered
                  ? sql`delivered_at = now(), next_at = NULL`
                  : sql`delivered_at = NULL, next_at = CASE WHEN next_at IS NOT NULL
                THEN greatest(next_at, now() + make_interval(secs => ${retryAfterSeconds})) END`
              }
            WHERE id = ${id}`,
        ),
      )
    },

    giveUp: async (caller, id, reason) => {
      await database.asCallerSql(caller, (client) =>
        execute(
          client,
          sql`UPDATE deliveries SET next_at = NULL, response_excerpt = ${storableText(reason)} WHERE id = ${id}`,
        ),
      )
    },

    repeat: (caller, id) =>
      database.asCallerSql(caller, async (client) => {
        const before = await findDelivery(client, id)
        if (!before) return undefined
        mustWrite(caller, before.workspaceId)
        await execute(
          client,
          sql`UPDATE deliveries SET attempts = 0, next_at = now(), delivered_at = NULL
            WHERE workspace_id = ${before.workspaceId} AND id = ${id}`,
        )
        return findDelivery(client, id)
      }),
  }
}

async function findDelivery(client: ClientBase, id: string): Promise<Delivery | undefined> {
  const [delivery] = await queryRows<Delivery>(
    client,
    sql`SELECT ${columns} FROM deliveries WHERE id = ${id}`,
  )
  return delivery
}
