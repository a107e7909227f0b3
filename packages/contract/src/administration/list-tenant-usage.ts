import { z } from 'zod'
import { moreLine, table } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import { pageInput, pageOutput } from '../page.ts'
import { formatBytes } from '../quantity.ts'
import { exampleTenantUsage, forAdministrators, month, tenantUsageShape } from './shapes.ts'

export const listTenantUsage = defineOperation({
  ...forAdministrators,
  id: 'list_tenant_usage',
  title: 'List usage of tenants',
  description:
    'What each workspace used in a month of UTC, the largest first. Deleted ones are among them. For administrators of the installation.',
  effect: 'read',
  http: { method: 'GET', path: '/v1/admin/usage' },
  input: z.strictObject({
    month,
    sort: z
      .enum(['calls', 'uploads', 'upload_bytes', 'agent_seconds', 'storage_bytes'])
      .default('calls')
      .describe('Of what the largest are first.'),
    ...pageInput,
  }),
  output: z.object({ month: z.string(), usage: z.array(tenantUsageShape), ...pageOutput }),
  problems: ['workspace_not_found', 'cursor_invalid'],
  examples: [
    {
      title: 'This month',
      input: {},
      output: { month: '2026-11', usage: [exampleTenantUsage], next_cursor: null },
    },
  ],
  link: ({ month: of }) => `/admin/usage?month=${of}`,
  markdown: ({ usage, next_cursor }) =>
    table(
      [
        'Workspace',
        'Id',
        'Plan',
        { title: 'Calls', right: true },
        { title: 'Uploads', right: true },
        { title: 'Uploaded', right: true },
        { title: 'Agent hours', right: true },
        { title: 'Stored', right: true },
      ],
      usage.map((each) => [
        each.name ?? 'deleted',
        each.workspace_id,
        each.plan,
        each.calls,
        each.uploads,
        formatBytes(each.upload_bytes),
        (each.agent_seconds / 3600).toFixed(2),
        formatBytes(each.storage_bytes),
      ]),
      'Nothing was used.',
    ) + moreLine(next_cursor),
})
