import type { Notification, NotificationStore } from '@flamegate/operations/ports'
import type { ClientBase } from 'pg'
import type { Database } from '../database.ts'
import { mustWrite } from '../row-scope.ts'
import { execute, queryRows, sql } from '../sql.ts'
import { storableJson, storableText } from '../storable.ts'

const columns = sql`id, workspace_id AS "workspaceId", name, channel, target, sealed_secret AS "sealedSecret",
  sealed_url AS "sealedUrl", events, filter, is_active AS "isActive", failing_since AS "failingSince", off_reason AS "offReason",
  created_at AS "createdAt"`

export function notificationStore(database: Database): NotificationStore {
  return {
    list: (caller, workspaceId) =>
      database.asCallerSql(caller, (client) =>
        queryRows<Notification>(
          client,
          sql`SELECT ${columns} FROM notifications WHERE workspace_id = ${workspaceId} ORDER BY name`,
        ),
      ),

    find: (caller, id) => database.asCallerSql(caller, (client) => findNotification(client, id)),

    create: (caller, each) =>
      database.asCallerSql(caller, async (client) => {
        mustWrite(caller, each.workspaceId)
        const [created] = await queryRows<Notification>(
          client,
          sql`INSERT INTO notifications (workspace_id, id, name, channel, target, sealed_secret, sealed_url, events,
              filter, is_active, created_by)
            VALUES (${each.workspaceId}, ${each.id}, ${storableText(each.name)}, ${each.channel},
              ${storableJson(each.target)}::jsonb, ${each.sealedSecret}, ${each.sealedUrl}, ${each.events}::text[],
              ${storableJson(each.filter)}::jsonb, ${each.isActive}, ${caller.principal.userId})
            RETURNING ${columns}`,
        )
        if (!created) throw new Error('The notification is gone')
        return created
      }),

    update: (caller, id, change) =>
      database.asCallerSql(caller, async (client) => {
        const [before] = await queryRows<Notification>(
          client,
          sql`SELECT ${columns} FROM notifications WHERE id = ${id} FOR UPDATE`,
        )
        if (!before) return undefined
        mustWrite(caller, before.workspaceId)
        const after = { ...before, ...change }
        const [updated] = await queryRows<Notification>(
          client,
          sql`UPDATE notifications SET channel = ${after.channel}, target = ${storableJson(after.target)}::jsonb,
              sealed_secret = ${after.sealedSecret}, sealed_url = ${after.sealedUrl}, events = ${after.events}::text[],
              filter = ${storableJson(after.filter)}::jsonb, is_active = ${after.isActive},
              failing_since = ${after.failingSince}, off_reason = ${storableText(after.offReason)}
            WHERE workspace_id = ${before.workspaceId} AND id = ${id} RETURNING ${columns}`,
        )
        return updated
      }),

    remove: (caller, id) =>
      database.asCallerSql(caller, async (client) => {
        const before = await findNotification(client, id)
        if (!before) return false
        mustWrite(caller, before.workspaceId)
        const removed = await execute(
          client,
          sql`DELETE FROM notifications WHERE workspace_id = ${before.workspaceId} AND id = ${id}`,
        )
        return removed > 0
      }),
  }
}

async function findNotification(client: ClientBase, id: string): Promise<Notification | undefined> {
  const [notification] = await queryRows<Notification>(
    client,
    sql`SELECT ${columns} FROM notifications WHERE id = ${id}`,
  )
  return notification
}
