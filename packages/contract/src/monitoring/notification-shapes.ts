import { z } from 'zod'
import { timestamp } from '../fields.ts'

export const notificationId = z.string().min(1).max(64).describe('Id of the notification (ntf_…).')

export const notificationChannels = [
  'email',
  'http',
  'slack',
  'teams',
  'google_chat',
  'webex',
  'jira',
] as const

/** What happens to a run that somebody may want to hear of. Only one of the last three comes with an end. */
export const runEvents = ['test_started', 'test_ended', 'test_passed', 'test_failed', 'test_error'] as const

/** What happens to a running program that somebody may want to hear of. */
export const liveAlertEvents = ['live_alert_opened', 'live_alert_resolved'] as const

export const notificationEvents = [...runEvents, ...liveAlertEvents] as const

/** Of which runs; null: whatever it is. */
export const notificationFilter = z.strictObject({
  scenario_name: z
    .strictObject({
      text: z.string().min(1).max(80).describe('As it is written.'),
      match: z
        .enum(['equals', 'contains', 'starts_with', 'ends_with'])
        .default('contains')
        .describe('How it fits.'),
    })
    .nullable()
    .default(null)
    .describe('By name.'),
  duration_ms_min: z.int32().min(0).nullable().default(null).describe('Least duration.'),
  users_min: z.int32().min(0).nullable().default(null).describe('At once, at least.'),
  project_id: z.string().max(64).nullable().default(null).describe('Its project.'),
})

/** Where a channel of Jira Cloud makes issues. */
export const jiraTarget = {
  base_url: z
    .url({ protocol: /^https?$/ })
    .max(500)
    .describe('https://acme.atlassian.net'),
  email: z.email().max(254).describe('Whose token it is.'),
  project_key: z
    .string()
    .regex(/^[A-Z][A-Z0-9_]{1,49}$/, 'Such as PERF.')
    .describe('PERF.'),
  issue_type: z.string().min(1).max(60).default('Task').describe('Of issues.'),
}

export const notificationShape = z.object({
  id: z.string(),
  workspace_id: z.string(),
  name: z.string(),
  channel: z.enum(notificationChannels),
  target: z.string().describe('Where messages go, without what is secret.'),
  addresses: z.array(z.string()).describe('Of email.'),
  jira: z.object(jiraTarget).nullable(),
  events: z.array(z.enum(notificationEvents)),
  filter: notificationFilter,
  is_active: z.boolean(),
  off_reason: z.string().describe('Why it was switched off by itself; else empty.'),
  failing_since: timestamp.nullable().describe('null when the last message was taken.'),
  created_at: timestamp,
})
type NotificationShape = z.output<typeof notificationShape>

export const exampleNotification: NotificationShape = {
  id: 'ntf_01',
  workspace_id: 'ws_01',
  name: 'Team channel',
  channel: 'slack',
  target: 'hooks.slack.com',
  addresses: [],
  jira: null,
  events: ['test_failed', 'test_error'],
  filter: { scenario_name: null, duration_ms_min: null, users_min: 50, project_id: null },
  is_active: true,
  off_reason: '',
  failing_since: null,
  created_at: '2026-11-22T10:00:00.000Z',
}

/** Path of the page of a workspace's notifications. */
export function notificationsLink(workspaceId: string): string {
  return `/workspaces/${workspaceId}/notifications`
}
