import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getWebhook } from './get-webhook.ts'

export const deleteWebhook = implement(operations.deleteWebhook)(async (input, context) => {
  const webhook = await getWebhook(context, input.webhook_id)
  await context.deps.stores.webhooks.remove(context.caller, webhook.id)
  return { webhook_id: webhook.id, project_id: webhook.projectId, deleted: true as const }
})
