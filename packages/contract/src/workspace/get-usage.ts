import { z } from 'zod'
import { workspaceId } from '../fields.ts'
import { facts, table } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import { formatBytes } from '../quantity.ts'

export const getUsage = defineOperation({
  id: 'get_usage',
  title: 'Get usage',
  description:
    'Plan of a workspace, what is used so far and the limits, and the largest upload that is accepted.',
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
    }),
    limits: z.object({
      upload_bytes: z.number().describe('Largest single upload.'),
      inline_bytes: z.number().describe('Largest content that may come inline instead of by upload URL.'),
      calls_per_minute: z.number().int().nullable().describe('null: not limited.'),
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
        },
        limits: { upload_bytes: 536_870_912, inline_bytes: 100_000, calls_per_minute: null },
      },
    },
  ],
  link: ({ workspace_id }) => `/workspaces/${workspace_id}/projects`,
  markdown: ({ plan, usage, limits }) =>
    [
      facts({
        Plan: plan,
        'Largest upload': formatBytes(limits.upload_bytes),
        'Calls per minute': limits.calls_per_minute ?? 'not limited',
      }),
      table(
        ['What', { title: 'Used', right: true }],
        Object.entries(usage).map(([name, value]) => [
          name,
          name === 'storage_bytes' ? formatBytes(value) : value,
        ]),
        '',
      ),
    ].join('\n\n'),
})
