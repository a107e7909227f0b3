import { z } from 'zod'
import { moreLine, table } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import { pageInput, pageOutput } from '../page.ts'
import { oauthClientShape } from './oauth-client-shapes.ts'

export const listOauthClients = defineOperation({
  id: 'list_oauth_clients',
  title: 'List OAuth clients',
  description:
    'Every agent and app that registered or logged somebody in, newest first: how it came, where its answers go, first and last use, grants, blocked or not. For administrators of the installation.',
  toolset: 'workspace',
  effect: 'read',
  scopes: ['admin'],
  // A role is one in a workspace; whoever administers the installation needs none.
  role: 'viewer',
  tenancy: 'none',
  mcp: false,
  http: { method: 'GET', path: '/v1/admin/oauth-clients' },
  input: z.strictObject({
    search: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe('Only those with this in their name, id or redirect host.'),
    blocked: z.boolean().optional().describe('Only the blocked ones, or only the others.'),
    ...pageInput,
  }),
  output: z.object({ oauth_clients: z.array(oauthClientShape), ...pageOutput }),
  problems: ['oauth_client_not_found', 'cursor_invalid'],
  examples: [{ title: 'None yet', input: {}, output: { oauth_clients: [], next_cursor: null } }],
  link: () => '/oauth-clients',
  markdown: ({ oauth_clients, next_cursor }) =>
    table(
      ['Client', 'Id', 'Came as', 'Goes to', 'Last used', { title: 'Grants', right: true }, 'Blocked'],
      oauth_clients.map((client) => [
        client.name,
        client.client_id,
        client.kind,
        client.redirect_hosts.join(', '),
        client.last_used_at,
        client.grant_count,
        client.block_reason,
      ]),
      'No client has come yet.',
    ) + moreLine(next_cursor),
})
