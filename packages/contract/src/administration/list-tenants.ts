import { z } from 'zod'
import { moreLine, table } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import { pageInput, pageOutput } from '../page.ts'
import { exampleTenant, forAdministrators, tenantShape } from './shapes.ts'

export const listTenants = defineOperation({
  ...forAdministrators,
  id: 'list_tenants',
  title: 'List tenants',
  description:
    'Every workspace, newest first: plan, members, projects, storage, whether it is being deleted. Nothing of what is in it. For administrators of the installation.',
  effect: 'read',
  http: { method: 'GET', path: '/v1/admin/workspaces' },
  input: z.strictObject({
    search: z.string().min(1).max(200).optional().describe('Only those with this in their name or slug.'),
    being_deleted: z.boolean().optional().describe('Only those that are being deleted, or only the others.'),
    ...pageInput,
  }),
  output: z.object({ tenants: z.array(tenantShape), ...pageOutput }),
  problems: ['workspace_not_found', 'cursor_invalid'],
  examples: [{ title: 'One workspace', input: {}, output: { tenants: [exampleTenant], next_cursor: null } }],
  link: () => '/admin/workspaces',
  markdown: ({ tenants, next_cursor }) =>
    table(
      ['Workspace', 'Id', 'Plan', { title: 'Members', right: true }, { title: 'Bytes', right: true }, 'Goes'],
      tenants.map((tenant) => [
        tenant.name,
        tenant.id,
        tenant.plan,
        tenant.member_count,
        tenant.storage_bytes,
        tenant.deletes_at,
      ]),
      'No workspace fits.',
    ) + moreLine(next_cursor),
})
