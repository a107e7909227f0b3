import { z } from 'zod'
import { defineOperation } from '../operation.ts'
import { forAdministrators, month } from './shapes.ts'

export const exportTenantUsage = defineOperation({
  ...forAdministrators,
  id: 'export_tenant_usage',
  title: 'Export usage of tenants',
  description:
    'What every workspace used in a month of UTC, deleted ones too, as CSV: what bills are made of. For administrators of the installation.',
  effect: 'read',
  http: { method: 'GET', path: '/v1/admin/usage/export' },
  input: z.strictObject({ month }),
  output: z.object({
    month: z.string(),
    workspace_count: z.number().int(),
    csv: z.string().describe('As RFC 4180 has it, in the order of the ids.'),
  }),
  problems: ['workspace_not_found'],
  examples: [
    {
      title: 'One workspace',
      input: { month: '2026-11' },
      output: {
        month: '2026-11',
        workspace_count: 1,
        csv: 'month,workspace_id,name,slug,plan,calls,uploads,upload_bytes,agent_seconds,storage_bytes\r\n2026-11,ws_01,Acme,acme,free,1204,14,310000,9000,900000\r\n',
      },
    },
  ],
  link: ({ month: of }) => `/admin/usage?month=${of}`,
  markdown: ({ csv }) => `\`\`\`csv\n${csv}\`\`\``,
})
