import { z } from 'zod'
import { projectId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import { exampleWebhook, webhookEvents, webhookId, webhookShape } from './shapes.ts'

export const setWebhook = defineOperation({
  id: 'set_webhook',
  title: 'Set a webhook',
  description:
    'Tell an address of alerts and runs of a project, or change how. A new webhook’s secret is shown once, in this answer, and so is one that replaces it.',
  toolset: 'monitoring',
  effect: 'write',
  scopes: ['admin'],
  http: { method: 'PUT', path: '/v1/projects/{project_id}/webhooks' },
  mcp: false,
  // Without webhook_id each call makes one more.
  idempotent: false,
  input: z.strictObject({
    project_id: projectId,
    webhook_id: webhookId.optional().describe('The one to change (whk_…); left out: a new one.'),
    target_url: z
      .url({ protocol: /^https?$/ })
      .max(2000)
      .optional()
      .describe(
        'Where messages are posted: https, and on the public internet. A new one needs it. It is kept sealed.',
      ),
    events: z
      .array(z.enum(webhookEvents))
      .min(1)
      .max(webhookEvents.length)
      .optional()
      .describe('What it is told; everything when a new one does not say.'),
    is_active: z.boolean().optional().describe('Off, it is told nothing, and nothing is kept for it.'),
    new_secret: z
      .boolean()
      .default(false)
      .describe('Replaces the secret; for a day messages are signed with both.'),
  }),
  output: z.object({
    webhook: webhookShape,
    secret: z.string().nullable().describe('whsec_…, shown this once; null when it is the one it was.'),
  }),
  problems: ['project_not_found', 'webhook_not_found', 'insufficient_role', 'invalid_input'],
  examples: [
    {
      title: 'A new one',
      input: {
        project_id: 'prj_01',
        target_url: 'https://hooks.example.com/flamegate',
        events: ['alert.opened', 'alert.resolved'],
      },
      output: { webhook: exampleWebhook, secret: 'whsec_…' },
    },
  ],
  link: ({ webhook }) => `/projects/${webhook.project_id}/notifications`,
  markdown: ({ webhook, secret }) =>
    `Webhook ${webhook.id} to ${webhook.target} is ${webhook.is_active ? 'on' : 'off'}.` +
    (secret === null ? '' : ` Its secret, shown this once: \`${secret}\``),
})
