import { z } from 'zod'
import { workspaceId } from '../fields.ts'
import { limitNames } from '../limit-state.ts'
import { facts, table } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import { featuresOffSchema, retentionDaysSchema } from '../plan-limits.ts'
import { formatBytes } from '../quantity.ts'

export const getUsage = defineOperation({
  id: 'get_usage',
  title: 'Get usage',
  description:
    'Plan of a workspace, what it has, what is used so far, how long things are kept, and how many calls you may make: what is left of each limit and when it is full again. Costs next to nothing.',
  toolset: 'workspace',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/workspaces/{workspace_id}/usage' },
  input: z.strictObject({ workspace_id: workspaceId }),
  output: z.object({
    workspace_id: z.string(),
    plan: z.string(),
    usage: z.object({
      projects: z.number().int(),
      members: z.number().int(),
      runs: z.number().int(),
      benchmark_results: z.number().int(),
      profiles: z.number().int(),
      storage_bytes: z.number(),
      result_bytes: z.number().describe('Series of load tests.'),
      result_file_bytes: z.number().describe('Files of load tests; among storage_bytes, too.'),
      live_app_bytes: z.number().describe('What live apps told lately.'),
      live_recording_bytes: z.number().describe('What was pinned of it.'),
      mcp_report_bytes: z.number().describe('Reports on MCP servers.'),
      uploads_today: z.number().int().describe('Files and results that were sent in, since midnight UTC.'),
      agent_hours_this_month: z.number().describe('Hours that agents made load, since the first (UTC).'),
    }),
    limits: z.object({
      upload_bytes: z.number().describe('Largest single upload.'),
      inline_bytes: z.number().describe('Largest content that may come inline instead of by upload URL.'),
      uploads_per_day: z.number().nullable().describe('null: not limited.'),
      storage_bytes: z.number().nullable().describe('Of all files; null: not limited.'),
      agent_hours_per_month: z.number().nullable().describe('null: not limited.'),
      calls_per_minute: z
        .number()
        .int()
        .nullable()
        .describe('Reads a minute through this client, on average; null: not limited.'),
      calls: z
        .array(
          z.object({
            name: z.enum(limitNames).describe('What an answer with status 429 calls it.'),
            quota: z.number().int().describe('Most reads in a row, or calls at once. A write counts as 2.'),
            remaining: z.number().int(),
            resets_in_seconds: z.number().int().describe('Until all of it is left again.'),
            refills_per_minute: z.number().nullable().describe('null: given back when a call ends.'),
          }),
        )
        .describe('Limits of this workspace, of you and of this client. Empty: calls are not limited.'),
      result_bytes: z.number().nullable().describe('Series of load tests that are kept; null: not limited.'),
      result_file_bytes: z.number().nullable().describe('The same of their files.'),
      live_app_bytes: z.number().describe('Kept of each live app; then the oldest goes.'),
      live_recording_bytes: z.number().nullable().describe('Kept of all recordings; null: not limited.'),
      mcp_report_bytes: z
        .number()
        .nullable()
        .describe('Kept of all reports on MCP servers; null: not limited.'),
      load_run: z
        .object({
          users: z.number().nullable(),
          rate_per_second: z.number().nullable().describe('Iterations of open loads that begin.'),
          duration_ms: z.number().nullable(),
          browser_users: z.number().nullable(),
        })
        .describe('What one run of a scenario may be, at most; null: not limited.'),
      retention_days: retentionDaysSchema.describe(
        'By the plan. The installation may keep results of load tests and what live apps told for less.',
      ),
      features_off: featuresOffSchema,
    }),
  }),
  problems: ['workspace_not_found'],
  examples: [
    {
      title: 'A small workspace',
      input: { workspace_id: 'ws_01' },
      output: {
        workspace_id: 'ws_01',
        plan: 'free',
        usage: {
          projects: 2,
          members: 1,
          runs: 12,
          benchmark_results: 90,
          profiles: 6,
          storage_bytes: 900_000,
          result_bytes: 270_000_000,
          result_file_bytes: 31_000_000,
          live_app_bytes: 46_000_000,
          live_recording_bytes: 5_200_000,
          mcp_report_bytes: 1_400_000,
          uploads_today: 14,
          agent_hours_this_month: 2.5,
        },
        limits: {
          upload_bytes: 536_870_912,
          inline_bytes: 100_000,
          uploads_per_day: 10_000,
          storage_bytes: 21_474_836_480,
          agent_hours_per_month: 1_000,
          calls_per_minute: 3_000,
          calls: [
            {
              name: 'client',
              quota: 600,
              remaining: 580,
              resets_in_seconds: 1,
              refills_per_minute: 3_000,
            },
          ],
          result_bytes: 10_737_418_240,
          result_file_bytes: 10_737_418_240,
          live_app_bytes: 536_870_912,
          live_recording_bytes: 536_870_912,
          mcp_report_bytes: 1_073_741_824,
          load_run: { users: 10_000, rate_per_second: 20_000, duration_ms: 86_400_000, browser_users: 50 },
          retention_days: {
            runs: 730,
            profiles: 365,
            bench_results: 365,
            live_metrics: 7,
            live_recordings: 365,
            mcp_sessions: 365,
            audit: 730,
          },
          features_off: [],
        },
      },
    },
  ],
  link: ({ workspace_id }) => `/workspaces/${workspace_id}/usage`,
  markdown: ({ plan, usage, limits }) =>
    [
      facts({
        Plan: plan,
        'Largest upload': formatBytes(limits.upload_bytes),
        'Calls per minute': limits.calls_per_minute ?? 'not limited',
        'Does without': limits.features_off.join(', '),
      }),
      table(
        ['What', { title: 'Used', right: true }, { title: 'Of', right: true }],
        Object.entries(usage).map(([name, value]) => [
          name,
          inWords(name, value),
          inWords(name, limitOf(limits, name)),
        ]),
        '',
      ),
      ...(limits.calls.length === 0
        ? []
        : [
            table(
              [
                'Limit',
                { title: 'Left', right: true },
                { title: 'Of', right: true },
                { title: 'Full in s', right: true },
              ],
              limits.calls.map((limit) => [
                limit.name,
                limit.remaining,
                limit.quota,
                limit.resets_in_seconds,
              ]),
              '',
            ),
          ]),
    ].join('\n\n'),
})

/** What the plan has of something that is used; null where it has no limit, undefined where there is none. */
function limitOf(limits: Record<string, unknown>, name: string): number | null | undefined {
  const limit =
    limits[
      { uploads_today: 'uploads_per_day', agent_hours_this_month: 'agent_hours_per_month' }[name] ?? name
    ]
  // Of a live app that is for each of them.
  return name !== 'live_app_bytes' && (typeof limit === 'number' || limit === null) ? limit : undefined
}

function inWords(name: string, value: number | null | undefined): string | number {
  if (value === undefined) return ''
  if (value === null) return 'not limited'
  return name.endsWith('_bytes') ? formatBytes(value) : value
}
