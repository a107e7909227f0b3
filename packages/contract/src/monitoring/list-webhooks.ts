import { z } from 'zod'
import { projectId } from '../fields.ts'
import { table } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import { exampleWebhook, webhookShape } from './shapes.ts'

export const listWebhooks = defineOperation({
  id: 'list_webhooks',
  title: 'List webhooks',
  description:
    'Which addresses are told of alerts and runs of a project. Secrets are never shown, nor is more of an address than its host.',
  toolset: 'monitoring',
  effect: 'read',
  scopes: ['admin'],
  http: { method: 'GET', path: '/v1/projects/{project_id}/webhooks' },
  mcp: false,
  input: z.strictObject({ project_id: projectId }),
  output: z.object({ project_id: z.string(), webhooks: z.array(webhookShape) }),
  problems: ['project_not_found', 'insufficient_role'],
  examples: [
    {
      title: 'One',
      input: { project_id: 'prj_01' },
      output: { project_id: 'prj_01', webhooks: [exampleWebhook] },
    },
  ],
  link: ({ project_id }) => `/projects/${project_id}/notifications`,
  markdown: ({ webhooks }) =>
    table(
      ['To', 'Events', 'State', 'Id'],
      webhooks.map((webhook) => [
        webhook.target,
        webhook.events.join(', '),
        webhook.is_active ? 'on' : webhook.off_reason || 'off',
        webhook.id,
      ]),
      'No webhooks yet.',
    ),
})
