import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getProject } from '../targets.ts'
import { webhookOnWire } from './on-wire.ts'

export const listWebhooks = implement(operations.listWebhooks)(async (input, context) => {
  const project = await getProject(context, input.project_id)
  const webhooks = await context.deps.stores.webhooks.list(context.caller, project.id)
  return { project_id: project.id, webhooks: webhooks.map(webhookOnWire) }
})
