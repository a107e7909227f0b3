import { z } from 'zod'
import { defineOperation } from '../operation.ts'
import { notificationId, notificationsLink } from './notification-shapes.ts'

export const testNotification = defineOperation({
  id: 'test_notification',
  title: 'Test a notification',
  description: 'Send one real message now, and tell what came back. Once in 5 seconds.',
  toolset: 'monitoring',
  effect: 'write',
  scopes: ['write'],
  role: 'admin',
  http: { method: 'POST', path: '/v1/notifications/{notification_id}/test' },
  input: z.strictObject({ notification_id: notificationId }),
  output: z.object({
    notification_id: z.string(),
    workspace_id: z.string(),
    was_delivered: z.boolean(),
    response_status: z.number().int().nullable().describe('null when nothing answered.'),
    response_excerpt: z.string().describe('How the answer began, or why there was none.'),
    duration_ms: z.number().int(),
  }),
  problems: ['notification_not_found', 'rate_limited', 'insufficient_role'],
  examples: [
    {
      title: 'It works',
      input: { notification_id: 'ntf_01' },
      output: {
        notification_id: 'ntf_01',
        workspace_id: 'ws_01',
        was_delivered: true,
        response_status: 200,
        response_excerpt: 'ok',
        duration_ms: 84,
      },
    },
  ],
  link: ({ workspace_id }) => notificationsLink(workspace_id),
  markdown: ({ was_delivered, response_status, response_excerpt, duration_ms }) =>
    `${was_delivered ? 'Delivered' : 'Not delivered'}: ${response_status ?? 'no answer'} after ${duration_ms} ms. ${response_excerpt}`.trim(),
})
