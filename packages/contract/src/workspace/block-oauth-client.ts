import { z } from 'zod'
import { defineOperation } from '../operation.ts'
import { exampleOauthClient, oauthClientId, oauthClientShape } from './oauth-client-shapes.ts'

export const blockOauthClient = defineOperation({
  id: 'block_oauth_client',
  title: 'Block an OAuth client',
  description:
    'Cut an agent, app or machine off for everybody: its grants end within a second, a machine’s API token does not work, and it gets no new ones until it is unblocked. For administrators of the installation.',
  toolset: 'workspace',
  effect: 'destroy',
  scopes: ['admin'],
  // A role is one in a workspace; whoever administers the installation needs none.
  role: 'viewer',
  tenancy: 'none',
  mcp: false,
  idempotent: true,
  http: { method: 'POST', path: '/v1/admin/oauth-clients/block' },
  input: z.strictObject({
    client_id: oauthClientId,
    blocked: z.boolean().default(true).describe('False lets it in again; people have to allow it anew.'),
    reason: z
      .string()
      .trim()
      .min(1)
      .max(300)
      .default('No reason was given.')
      .describe('Shown to whoever wants to use it, and to other administrators.'),
  }),
  output: z.object({
    oauth_client: oauthClientShape,
    revoked_grants: z.number().int().describe('How many grants ended by this.'),
  }),
  problems: ['oauth_client_not_found'],
  examples: [
    {
      title: 'Cut one off',
      input: { client_id: exampleOauthClient.client_id, reason: 'It deletes projects.' },
      output: {
        oauth_client: {
          ...exampleOauthClient,
          grant_count: 0,
          blocked_at: '2026-11-21T10:00:00.000Z',
          block_reason: 'It deletes projects.',
        },
        revoked_grants: 12,
      },
    },
  ],
  link: () => '/oauth-clients',
  markdown: ({ oauth_client, revoked_grants }) =>
    oauth_client.blocked_at === null
      ? `${oauth_client.name} may come again.`
      : `${oauth_client.name} is blocked; ${revoked_grants} grants ended.`,
})
