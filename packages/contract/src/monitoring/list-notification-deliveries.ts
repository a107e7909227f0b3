import { z } from 'zod'
import { moreLine, table } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import { pageInput, pageOutput } from '../page.ts'
import { notificationId, notificationsLink } from './notification-shapes.ts'
import { deliveryShape, exampleDelivery } from './shapes.ts'

export const listNotificationDeliveries = defineOperation({
  id: 'list_notification_deliveries',
  title: 'List deliveries of a notification',
  description: 'What was sent in the last 30 days, newest first: how it went, and when it is tried again.',
  toolset: 'monitoring',
  effect: 'read',
  scopes: ['read'],
  role: 'admin',
  http: { method: 'GET', path: '/v1/notifications/{notification_id}/deliveries' },
  mcp: false,
  input: z.strictObject({ notification_id: notificationId, ...pageInput }),
  output: z.object({
    notification_id: z.string(),
    workspace_id: z.string(),
    deliveries: z.array(deliveryShape),
    ...pageOutput,
  }),
  problems: ['notification_not_found', 'cursor_invalid', 'insufficient_role'],
  examples: [
    {
      title: 'One',
      input: { notification_id: 'ntf_01' },
      output: {
        notification_id: 'ntf_01',
        workspace_id: 'ws_01',
        deliveries: [
          { ...exampleDelivery, webhook_id: null, notification_id: 'ntf_01', event: 'test_failed' },
        ],
        next_cursor: null,
      },
    },
  ],
  link: ({ workspace_id }) => notificationsLink(workspace_id),
  markdown: ({ deliveries, next_cursor }) =>
    table(
      ['Event', 'State', 'Attempts', 'Answer', 'Next attempt', 'Id'],
      deliveries.map((row) => [
        row.event,
        row.state,
        row.attempt_count,
        row.response_status,
        row.next_attempt_at,
        row.id,
      ]),
      'Nothing was sent yet.',
    ) + moreLine(next_cursor),
})
