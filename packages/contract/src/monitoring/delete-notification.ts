import { z } from 'zod'
import { defineOperation } from '../operation.ts'
import { notificationId, notificationsLink } from './notification-shapes.ts'

export const deleteNotification = defineOperation({
  id: 'delete_notification',
  title: 'Delete a notification',
  description: 'Remove a notification with all its deliveries; what waits is not sent any more.',
  toolset: 'monitoring',
  effect: 'destroy',
  scopes: ['write'],
  role: 'admin',
  http: { method: 'DELETE', path: '/v1/notifications/{notification_id}' },
  mcp: false,
  input: z.strictObject({ notification_id: notificationId }),
  output: z.object({ notification_id: z.string(), workspace_id: z.string(), deleted: z.literal(true) }),
  problems: ['notification_not_found', 'insufficient_role'],
  examples: [
    {
      title: 'Delete',
      input: { notification_id: 'ntf_01' },
      output: { notification_id: 'ntf_01', workspace_id: 'ws_01', deleted: true },
    },
  ],
  link: ({ workspace_id }) => notificationsLink(workspace_id),
  markdown: ({ notification_id }) => `Notification ${notification_id} is deleted.`,
})
