import { z } from 'zod'
import { projectId } from '../fields.ts'
import { moreLine, table } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import { pageInput, pageOutput } from '../page.ts'
import { deliveryShape, exampleDelivery, webhookId } from './shapes.ts'

export const listDeliveries = defineOperation({
  id: 'list_deliveries',
  title: 'List deliveries',
  description:
    'What was sent to webhooks and to GitHub about a project in the last 30 days, newest first: how it went, and when it is tried again.',
  toolset: 'monitoring',
  effect: 'read',
  scopes: ['admin'],
  http: { method: 'GET', path: '/v1/projects/{project_id}/deliveries' },
  mcp: false,
  input: z.strictObject({
    project_id: projectId,
    webhook_id: webhookId.optional().describe('Only to this webhook (whk_…).'),
    ...pageInput,
  }),
  output: z.object({ project_id: z.string(), deliveries: z.array(deliveryShape), ...pageOutput }),
  problems: ['project_not_found', 'cursor_invalid', 'insufficient_role'],
  examples: [
    {
      title: 'One',
      input: { project_id: 'prj_01' },
      output: { project_id: 'prj_01', deliveries: [exampleDelivery], next_cursor: null },
    },
  ],
  link: ({ project_id }) => `/projects/${project_id}/notifications`,
  markdown: ({ deliveries, next_cursor }) =>
    table(
      ['Event', 'To', 'State', 'Attempts', 'Answer', 'Next attempt', 'Id'],
      deliveries.map((row) => [
        row.event,
        row.webhook_id ?? 'GitHub',
        row.state,
        row.attempt_count,
        row.response_status,
        row.next_attempt_at,
        row.id,
      ]),
      'Nothing was sent yet.',
    ) + moreLine(next_cursor),
})
