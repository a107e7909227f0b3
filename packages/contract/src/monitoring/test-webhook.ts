import { z } from 'zod'
import { defineOperation } from '../operation.ts'
import { webhookId } from './shapes.ts'

export const testWebhook = defineOperation({
  id: 'test_webhook',
  title: 'Test a webhook',
  description: 'Send a message of the type ping now, signed like all others, and tell what came back.',
  toolset: 'monitoring',
  effect: 'write',
  scopes: ['admin'],
  http: { method: 'POST', path: '/v1/webhooks/{webhook_id}/test' },
  mcp: false,
  input: z.strictObject({ webhook_id: webhookId }),
  output: z.object({
    webhook_id: z.string(),
    project_id: z.string(),
    was_delivered: z.boolean().describe('Whether it answered with a status from 200 to 299.'),
    response_status: z.number().int().nullable().describe('null when nothing answered.'),
    response_excerpt: z.string().describe('How the answer began, or why there was none.'),
    duration_ms: z.number().int(),
  }),
  problems: ['webhook_not_found', 'insufficient_role'],
  examples: [
    {
      title: 'It works',
      input: { webhook_id: 'whk_01' },
      output: {
        webhook_id: 'whk_01',
        project_id: 'prj_01',
        was_delivered: true,
        response_status: 204,
        response_excerpt: '',
        duration_ms: 84,
      },
    },
  ],
  link: ({ project_id }) => `/projects/${project_id}/notifications`,
  markdown: ({ was_delivered, response_status, response_excerpt, duration_ms }) =>
    `${was_delivered ? 'Delivered' : 'Not delivered'}: ${response_status ?? 'no answer'} after ${duration_ms} ms. ${response_excerpt}`.trim(),
})
