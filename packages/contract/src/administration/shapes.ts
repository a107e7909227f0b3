import { z } from 'zod'
import { timestamp } from '../fields.ts'
import { planLimitsSchema } from '../plan-limits.ts'

export const userId = z.string().min(1).max(64).describe('Id of the person; list_people shows them (usr_…).')

export const personShape = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  created_at: timestamp,
  email_confirmed_at: timestamp.nullable(),
  disabled_at: timestamp.nullable().describe('Since when they are shut out; null: they are not.'),
  disabled_reason: z.string().nullable(),
  installation_admin: z.boolean(),
  workspace_count: z.number().int(),
  session_count: z.number().int().describe('Browsers that are logged in.'),
})

export const examplePerson: z.output<typeof personShape> = {
  id: 'usr_02',
  email: 'bob@example.com',
  name: 'Bob',
  created_at: '2026-11-20T10:00:00.000Z',
  email_confirmed_at: '2026-11-20T10:05:00.000Z',
  disabled_at: null,
  disabled_reason: null,
  installation_admin: false,
  workspace_count: 2,
  session_count: 1,
}

export const tenantShape = z.object({
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  plan: z.string(),
  created_at: timestamp,
  deletes_at: timestamp
    .nullable()
    .describe('When it goes with all that is in it; until then it is only read. null: it stays.'),
  member_count: z.number().int(),
  project_count: z.number().int(),
  storage_bytes: z.number().int(),
})

export const exampleTenant: z.output<typeof tenantShape> = {
  id: 'ws_01',
  slug: 'acme',
  name: 'Acme',
  plan: 'free',
  created_at: '2026-11-20T10:00:00.000Z',
  deletes_at: null,
  member_count: 4,
  project_count: 3,
  storage_bytes: 52_428_800,
}

export const month = z
  .string()
  .regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'Write a month such as 2026-11.')
  .optional()
  .describe('Month of UTC, such as 2026-11; this one when left out.')

export const tenantUsageShape = z.object({
  workspace_id: z.string(),
  name: z.string().nullable().describe('null: it was deleted.'),
  slug: z.string().nullable(),
  plan: z.string().nullable().describe('The one that it has now.'),
  calls: z.number().int(),
  uploads: z.number().int(),
  upload_bytes: z.number(),
  agent_seconds: z.number().int(),
  storage_bytes: z.number().describe('The most of a day.'),
})

export const exampleTenantUsage: z.output<typeof tenantUsageShape> = {
  workspace_id: 'ws_01',
  name: 'Acme',
  slug: 'acme',
  plan: 'free',
  calls: 1204,
  uploads: 14,
  upload_bytes: 310_000,
  agent_seconds: 9000,
  storage_bytes: 900_000,
}

/** What every operation of administrators has in common: no role in a workspace, and no tool. */
export const forAdministrators = {
  toolset: 'workspace',
  scopes: ['admin'],
  role: 'viewer',
  tenancy: 'none',
  mcp: false,
} as const

export const planId = z
  .string()
  .regex(/^[a-z][a-z0-9_-]{0,39}$/, 'Write lower-case letters, digits, - and _.')
  .describe('Id of the plan; list_plans shows them.')

export const planShape = z.object({
  id: z.string(),
  title: z.string(),
  limits: planLimitsSchema,
  workspace_count: z.number().int().describe('How many workspaces have it.'),
})

export const examplePlan: z.output<typeof planShape> = {
  id: 'team',
  title: 'Team',
  limits: {
    calls_per_minute: 60_000,
    uploads_per_day: 100_000,
    agent_hours_per_month: 10_000,
    storage_bytes: 536_870_912_000,
    result_bytes: 107_374_182_400,
    result_file_bytes: 214_748_364_800,
    live_app_bytes: 2_147_483_648,
    live_recording_bytes: 10_737_418_240,
    mcp_report_bytes: 10_737_418_240,
    load_users: 100_000,
    load_rate_per_second: 200_000,
    load_duration_ms: 259_200_000,
    load_browser_users: 500,
    retention_days: {
      runs: 1825,
      profiles: 1095,
      bench_results: 1095,
      live_metrics: 30,
      live_recordings: 1095,
      mcp_sessions: 1095,
      audit: 1825,
    },
    features_off: ['live'],
  },
  workspace_count: 3,
}
