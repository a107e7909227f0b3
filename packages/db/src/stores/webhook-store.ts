import type { Webhook, WebhookStore } from '@flamegate/operations/ports'
import type { ClientBase } from 'pg'
import type { Database } from '../database.ts'
import { mustWrite } from '../row-scope.ts'
import { execute, queryRows, sql } from '../sql.ts'
import { storableText } from '../storable.ts'

const columns = sql`id, workspace_id AS "workspaceId", project_id AS "projectId", host,
  sealed_url AS "sealedUrl", url AS "plainUrl", events, is_active AS "isActive",
  sealed_secret AS "sealedSecret", sealed_previous_secret AS "sealedPreviousSecret",
  previous_secret_until AS "previousSecretUntil", failing_since AS "failingSince", off_reason AS "offReason",
  created_at AS "createdAt"`

export function webhookStore(database: Database): WebhookStore {
  return {
    list: (caller, projectId) =>
      database.asCallerSql(caller, (client) =>
        queryRows<Webhook>(
          client,
          sql`SELECT ${columns} FROM webhooks WHERE project_id = ${projectId} ORDER BY id`,
        ),
      ),

    find: (caller, id) => database.asCallerSql(caller, (client) => findWebhook(client, id)),

    create: (caller, webhook) =>
      database.asCallerSql(caller, async (client) => {
        mustWrite(caller, webhook.workspaceId)
        const [created] = await queryRows<Webhook>(
          client,
          sql`INSERT INTO webhooks (workspace_id, id, project_id, host, sealed_url, events, is_active, sealed_secret,
              created_by)
            VALUES (${webhook.workspaceId}, ${webhook.id}, ${webhook.projectId}, ${webhook.host}, ${webhook.sealedUrl},
              ${webhook.events}::text[], ${webhook.isActive}, ${webhook.sealedSecret}, ${caller.principal.userId})
            RETURNING ${columns}`,
        )
        if (!created) throw new Error('The webhook is gone')
        return created
      }),

    update: (caller, id, { address, ...change }) =>
      database.asCallerSql(caller, async (client) => {
        const [before] = await queryRows<Webhook>(
          client,
          sql`SELECT ${columns} FROM webhooks WHERE id = ${id} FOR UPDATE`,
        )
        if (!before) return undefined
        mustWrite(caller, before.workspaceId)
        const after = { ...before, ...change, ...(address && { ...address, plainUrl: null }) }
        const [updated] = await queryRows<Webhook>(
          client,
          sql`UPDATE webhooks SET host = ${after.host}, sealed_url = ${after.sealedUrl}, url = ${after.plainUrl}, events = ${after.events}::text[], is_active = ${after.isActive},
              sealed_secret = ${after.sealedSecret}, sealed_previous_secret = ${after.sealedPreviousSecret},
              previous_secret_until = ${after.previousSecretUntil}, failing_since = ${after.failingSince},
              off_reason = ${storableText(after.offReason)}
            WHERE workspace_id = ${before.workspaceId} AND id = ${id} RETURNING ${columns}`,
        )
        return updated
      }),

    remove: (caller, id) =>
      database.asCallerSql(caller, async (client) => {
        const webhook = await findWebhook(client, id)
        if (!webhook) return false
        mustWrite(caller, webhook.workspaceId)
        const removed = await execute(
          client,
          sql`DELETE FROM webhooks WHERE workspace_id = ${webhook.workspaceId} AND id = ${id}`,
        )
        return removed > 0
      }),
  }
}

async function findWebhook(client: ClientBase, id: string): Promise<Webhook | undefined> {
  const [webhook] = await queryRows<Webhook>(client, sql`SELECT ${columns} FROM webhooks WHERE id = ${id}`)
  return webhook
}
