import { z } from 'zod'
import { email, workspaceId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import {
  exampleNotification,
  jiraTarget,
  notificationChannels,
  notificationEvents,
  notificationFilter,
  notificationShape,
  notificationsLink,
} from './notification-shapes.ts'

export const setNotification = defineOperation({
  id: 'set_notification',
  title: 'Set a notification',
  description:
    'Make or change a notification of load tests. What is left out stays; secrets are never shown again. test_notification tries it.',
  toolset: 'monitoring',
  effect: 'write',
  scopes: ['write'],
  role: 'admin',
  http: { method: 'PUT', path: '/v1/workspaces/{workspace_id}/notifications/{name}' },
  input: z.strictObject({
    workspace_id: workspaceId,
    name: z.string().min(1).max(80).describe('Its name.'),
    channel: z.enum(notificationChannels).optional().describe('A new one needs it.'),
    addresses: z.array(email).min(1).max(20).optional().describe('Of email: members of the workspace.'),
    target_url: z
      .url({ protocol: /^https?$/ })
      .max(2000)
      .optional()
      .describe('Of http, slack, teams, google_chat, webex: the address of the incoming webhook.'),
    jira: z
      .strictObject({
        ...jiraTarget,
        api_token: z.string().min(1).max(2000).optional().describe('Kept secret.'),
      })
      .optional()
      .describe('Of jira: where issues are made, on Jira Cloud.'),
    events: z
      .array(z.enum(notificationEvents))
      .min(1)
      .max(notificationEvents.length)
      .optional()
      .describe('At first test_failed and test_error.'),
    filter: notificationFilter.optional().describe('Of which runs; at first all.'),
    is_active: z.boolean().optional().describe('Off, nothing is sent.'),
    new_secret: z.boolean().default(false).describe('Of http: replaces the secret that signs.'),
  }),
  output: z.object({
    notification: notificationShape,
    secret: z.string().nullable().describe('Of http, when it is new: whsec_…, shown this once.'),
  }),
  problems: ['workspace_not_found', 'invalid_input', 'conflict', 'insufficient_role'],
  examples: [
    {
      title: 'Slack hears of large tests that fail',
      input: {
        workspace_id: 'ws_01',
        name: 'Team channel',
        channel: 'slack',
        target_url: 'https://hooks.slack.com/services/T00/B00/XXXX',
        filter: { users_min: 50 },
      },
      output: { notification: exampleNotification, secret: null },
    },
  ],
  link: ({ notification }) => notificationsLink(notification.workspace_id),
  markdown: ({ notification: { name, id, channel, target, is_active }, secret }) =>
    `${name} (${id}): ${channel} to ${target} is ${is_active ? 'on' : 'off'}.` +
    (secret === null ? '' : ` Its secret, shown this once: \`${secret}\``),
})
