import { z } from 'zod'
import { table } from '../markdown.ts'
import { defineOperation } from '../operation.ts'

export const deleteUnusedOauthClients = defineOperation({
  id: 'delete_unused_oauth_clients',
  title: 'Delete unused OAuth clients',
  description:
    'Remove clients that have no grant and were neither used nor registered for some days; they may register again. The server does so by itself after 7 days for those that never got a token, and after 180 for others. For administrators of the installation.',
  toolset: 'workspace',
  effect: 'destroy',
  scopes: ['admin'],
  // A role is one in a workspace; whoever administers the installation needs none.
  role: 'viewer',
  tenancy: 'none',
  mcp: false,
  idempotent: true,
  http: { method: 'POST', path: '/v1/admin/oauth-clients/delete-unused' },
  input: z.strictObject({
    unused_days: z.number().int().min(1).max(365).default(30).describe('For how many days at least.'),
    dry_run: z.boolean().default(false).describe('Only tell which ones it would be.'),
  }),
  output: z.object({
    deleted: z.array(z.object({ client_id: z.string(), name: z.string() })),
    dry_run: z.boolean(),
  }),
  problems: ['oauth_client_not_found'],
  examples: [
    {
      title: 'See what would go',
      input: { dry_run: true },
      output: { deleted: [{ client_id: 'dcr_1', name: 'MCP Inspector' }], dry_run: true },
    },
  ],
  link: () => '/oauth-clients',
  markdown: ({ deleted, dry_run }) =>
    table(
      [dry_run ? 'Would be deleted' : 'Deleted', 'Id'],
      deleted.map((client) => [client.name, client.client_id]),
      'No client is unused for that long.',
    ),
})
