import { z } from 'zod'
import { workspaceId } from '../fields.ts'
import { table } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import { exampleNotification, notificationShape, notificationsLink } from './notification-shapes.ts'

export const listNotifications = defineOperation({
  id: 'list_notifications',
  title: 'List notifications',
  description:
    'Who is told of load tests of a workspace, of which, and how; for a scenario, which would fire.',
  toolset: 'monitoring',
  effect: 'read',
  scopes: ['read'],
  role: 'member',
  http: { method: 'GET', path: '/v1/workspaces/{workspace_id}/notifications' },
  input: z.strictObject({
    workspace_id: workspaceId,
    scenario_id: z.string().max(64).optional().describe('Only those that its runs would fire (scn_…).'),
  }),
  output: z.object({
    workspace_id: z.string(),
    notifications: z.array(notificationShape).describe('By name.'),
  }),
  problems: ['workspace_not_found', 'scenario_not_found', 'insufficient_role'],
  examples: [
    {
      title: 'One',
      input: { workspace_id: 'ws_01' },
      output: { workspace_id: 'ws_01', notifications: [exampleNotification] },
    },
  ],
  link: ({ workspace_id }) => notificationsLink(workspace_id),
  markdown: ({ notifications }) =>
    table(
      ['Name', 'Channel', 'To', 'Events', 'State', 'Id'],
      notifications.map((each) => [
        each.name,
        each.channel,
        each.target,
        each.events.join(', '),
        each.is_active ? 'on' : each.off_reason || 'off',
        each.id,
      ]),
      'No notifications.',
    ),
})
