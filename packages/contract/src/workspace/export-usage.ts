import { z } from 'zod'
import { workspaceId } from '../fields.ts'
import { table } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import { formatBytes } from '../quantity.ts'

const day = z.iso.date()

export const exportUsage = defineOperation({
  id: 'export_usage',
  title: 'Export the usage of each day',
  description:
    'What a workspace used on each day of UTC, oldest first, also as CSV: what a bill is made of. Days on which nothing happened are left out; those of the last days may still grow.',
  toolset: 'workspace',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/workspaces/{workspace_id}/usage/days' },
  mcp: false,
  input: z.strictObject({
    workspace_id: workspaceId,
    from: day
      .optional()
      .describe('First day, such as 2026-11-01; 30 days before the last one when left out.'),
    until: day.optional().describe('Last day; today when left out. A year at most.'),
  }),
  output: z.object({
    workspace_id: z.string(),
    from: z.string(),
    until: z.string(),
    days: z.array(
      z.object({
        day: z.string(),
        calls: z.number().int().describe('Of operations, as the audit log has them, but for refused ones.'),
        uploads: z.number().int(),
        upload_bytes: z.number(),
        agent_seconds: z.number().int().describe('Of runs that ended that day, all agents together.'),
        storage_bytes: z.number().describe('The most that was seen that day.'),
      }),
    ),
    csv: z.string().describe('The same as RFC 4180 has it.'),
  }),
  problems: ['workspace_not_found'],
  examples: [
    {
      title: 'One day',
      input: { workspace_id: 'ws_01', from: '2026-11-23', until: '2026-11-23' },
      output: {
        workspace_id: 'ws_01',
        from: '2026-11-23',
        until: '2026-11-23',
        days: [
          {
            day: '2026-11-23',
            calls: 1204,
            uploads: 14,
            upload_bytes: 310_000,
            agent_seconds: 9000,
            storage_bytes: 900_000,
          },
        ],
        csv: 'day,calls,uploads,upload_bytes,agent_seconds,storage_bytes\r\n2026-11-23,1204,14,310000,9000,900000\r\n',
      },
    },
  ],
  link: ({ workspace_id }) => `/workspaces/${workspace_id}/usage`,
  markdown: ({ days }) =>
    table(
      [
        'Day',
        { title: 'Calls', right: true },
        { title: 'Uploads', right: true },
        { title: 'Uploaded', right: true },
        { title: 'Agent hours', right: true },
        { title: 'Stored', right: true },
      ],
      days.map((each) => [
        each.day,
        each.calls,
        each.uploads,
        formatBytes(each.upload_bytes),
        (each.agent_seconds / 3600).toFixed(2),
        formatBytes(each.storage_bytes),
      ]),
      'Nothing was used.',
    ),
})
