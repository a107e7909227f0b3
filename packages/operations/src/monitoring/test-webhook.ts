import { newId, operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getProject } from '../targets.ts'
import { getWebhook } from './get-webhook.ts'
import { pingBody } from './message-body.ts'
import { sendSigned } from './send-signed.ts'

export const testWebhook = implement(operations.testWebhook)(async (input, context) => {
  const { deps } = context
  const webhook = await getWebhook(context, input.webhook_id)
  const project = await getProject(context, webhook.projectId)
  const body = pingBody(project, webhook.id, deps.publicUrl)
  const outcome = await sendSigned(webhook, { id: newId('delivery'), body }, deps)
  return {
    webhook_id: webhook.id,
    project_id: project.id,
    was_delivered: outcome.wasDelivered,
    response_status: outcome.responseStatus,
    response_excerpt: outcome.responseExcerpt,
    duration_ms: outcome.durationMs,
  }
})
