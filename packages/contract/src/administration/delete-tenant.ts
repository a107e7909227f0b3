import { z } from 'zod'
import { workspaceId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import { exampleTenant, forAdministrators, tenantShape } from './shapes.ts'

export const deleteTenant = defineOperation({
  ...forAdministrators,
  id: 'delete_tenant',
  title: 'Delete a tenant',
  description:
    'Let a workspace go in 14 days, with all that is in it, or call that off. Until then its members read it, and change nothing. Needs its exact name. For administrators of the installation.',
  effect: 'destroy',
  idempotent: true,
  http: { method: 'POST', path: '/v1/admin/workspaces/{workspace_id}/deletion' },
  input: z.strictObject({
    workspace_id: workspaceId,
    deleted: z.boolean().default(true).describe('False calls the deletion off.'),
    confirm: z.string().max(200).default('').describe('To delete it: the exact name of the workspace.'),
  }),
  output: z.object({ tenant: tenantShape }),
  problems: ['workspace_not_found', 'confirmation_mismatch'],
  examples: [
    {
      title: 'By its name',
      input: { workspace_id: 'ws_01', confirm: 'Acme' },
      output: { tenant: { ...exampleTenant, deletes_at: '2026-12-05T10:00:00.000Z' } },
    },
  ],
  link: () => '/admin/workspaces',
  markdown: ({ tenant }) =>
    tenant.deletes_at === null ? `${tenant.name} stays.` : `${tenant.name} goes at ${tenant.deletes_at}.`,
})
