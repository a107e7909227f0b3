import { z } from 'zod'
import { timestamp } from '../fields.ts'

/** What a webhook may be told. */
export const webhookEvents = [
  'alert.opened',
  'alert.resolved',
  'live_alert.opened',
  'live_alert.resolved',
  'run.completed',
] as const

export const webhookId = z.string().min(1).max(64).describe('Id of the webhook (whk_…).')
export const deliveryId = z.string().min(1).max(64).describe('Id of the delivery (dlv_…).')

export const webhookShape = z.object({
  id: z.string(),
  project_id: z.string(),
  target: z
    .string()
    .describe(
      'The host that messages are posted to; the rest of the address may be a secret, and is not shown.',
    ),
  events: z.array(z.enum(webhookEvents)),
  is_active: z.boolean(),
  off_reason: z.string().describe('Why it was switched off by itself; empty when it was not.'),
  failing_since: timestamp.nullable().describe('null when the last message was taken.'),
  previous_secret_until: timestamp
    .nullable()
    .describe('Until then messages are signed with the secret before as well.'),
  created_at: timestamp,
})

export const exampleWebhook: z.output<typeof webhookShape> = {
  id: 'whk_01',
  project_id: 'prj_01',
  target: 'hooks.example.com',
  events: ['alert.opened', 'alert.resolved'],
  is_active: true,
  off_reason: '',
  failing_since: null,
  previous_secret_until: null,
  created_at: '2026-11-20T10:00:00.000Z',
}

export const deliveryShape = z.object({
  id: z.string().describe('Also the header webhook-id.'),
  project_id: z.string(),
  webhook_id: z.string().nullable(),
  notification_id: z.string().nullable().describe('With both null: a report to GitHub.'),
  event: z.string(),
  state: z.enum(['waiting', 'delivered', 'failed']),
  attempt_count: z.number().int(),
  response_status: z.number().int().nullable().describe('null when nothing answered.'),
  response_excerpt: z.string().describe('How the answer began, or why there was none.'),
  duration_ms: z.number().int().nullable(),
  next_attempt_at: timestamp.nullable(),
  attempted_at: timestamp.nullable(),
  created_at: timestamp,
})

export const exampleDelivery: z.output<typeof deliveryShape> = {
  id: 'dlv_01',
  project_id: 'prj_01',
  webhook_id: 'whk_01',
  notification_id: null,
  event: 'alert.opened',
  state: 'delivered',
  attempt_count: 1,
  response_status: 204,
  response_excerpt: '',
  duration_ms: 84,
  next_attempt_at: null,
  attempted_at: '2026-11-20T10:00:02.000Z',
  created_at: '2026-11-20T10:00:00.000Z',
}

export const badgeShape = z.object({
  project_id: z.string(),
  image_url: z.string().nullable().describe('null: the project has no badge.'),
  markdown: z.string().nullable().describe('The badge, with a link to the project, for a readme.'),
})

export const githubReportShape = z.object({
  project_id: z.string(),
  is_active: z.boolean(),
  sets_status: z.boolean().describe('A commit status with the verdict.'),
  comments: z.boolean().describe('One comment with the report, changed in place.'),
  api_url: z.string().describe('Where the token is used: a setting of the installation.'),
  repository: z
    .string()
    .nullable()
    .describe('The project’s, as owner/name; without one nothing is reported.'),
})

export const exampleGithubReport: z.output<typeof githubReportShape> = {
  project_id: 'prj_01',
  is_active: true,
  sets_status: true,
  comments: true,
  api_url: 'https://api.github.com',
  repository: 'acme/checkout-service',
}
