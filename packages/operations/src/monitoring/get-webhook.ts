import { operations, Problem } from '@flamegate/contract'
import type { CallContext } from '../implement.ts'
import type { Webhook } from '../ports/index.ts'
import { reach } from '../targets.ts'

/** By its id, for whoever has the role. */
export async function getWebhook(context: CallContext, id: string): Promise<Webhook> {
  const webhook = await context.deps.stores.webhooks.find(context.caller, id)
  if (webhook === undefined) {
    throw new Problem('webhook_not_found', 'No such webhook in your workspaces.', {
      hint: [operations.listWebhooks, 'shows the ones there are'],
    })
  }
  await reach(context, webhook.workspaceId, webhook.id)
  return webhook
}
