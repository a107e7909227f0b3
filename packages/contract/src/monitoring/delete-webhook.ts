import { z } from 'zod'
import { defineOperation } from '../operation.ts'
import { webhookId } from './shapes.ts'

export const deleteWebhook = defineOperation({
  id: 'delete_webhook',
  title: 'Delete a webhook',
  description: 'Remove a webhook with all its deliveries; what waits is not sent any more.',
  toolset: 'monitoring',
  effect: 'destroy',
  scopes: ['admin'],
  http: { method: 'DELETE', path: '/v1/webhooks/{webhook_id}' },
  mcp: false,
  input: z.strictObject({ webhook_id: webhookId }),
  output: z.object({ webhook_id: z.string(), project_id: z.string(), deleted: z.literal(true) }),
  problems: ['webhook_not_found', 'insufficient_role'],
  examples: [
    {
      title: 'Delete',
      input: { webhook_id: 'whk_01' },
      output: { webhook_id: 'whk_01', project_id: 'prj_01', deleted: true },
    },
  ],
  link: ({ project_id }) => `/projects/${project_id}/notifications`,
  markdown: ({ webhook_id }) => `Webhook ${webhook_id} is deleted.`,
})
