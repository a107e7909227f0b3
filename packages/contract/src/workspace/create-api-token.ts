import { z } from 'zod'
import { workspaceId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import { scopeSchema } from '../scope.ts'
import { apiTokenShape } from './shapes.ts'

export const createApiToken = defineOperation({
  id: 'create_api_token',
  title: 'Create an API token',
  description:
    'Make a token for CI or a headless client, limited to one workspace. The secret is shown once, in this answer. It can allow no more than you are allowed yourself.',
  toolset: 'workspace',
  effect: 'write',
  scopes: ['write'],
  http: { method: 'POST', path: '/v1/workspaces/{workspace_id}/api-tokens', status: 201 },
  mcp: false,
  input: z.strictObject({
    workspace_id: workspaceId,
    name: z.string().trim().min(1).max(100).describe('What it is for.'),
    scopes: z.array(scopeSchema).min(1).max(5).describe('What it allows; upload alone is enough for CI.'),
    expires_in_days: z
      .number()
      .int()
      .min(1)
      .max(3650)
      .nullable()
      .default(90)
      .describe('After how many days it stops working; null: never.'),
  }),
  output: z.object({
    workspace_id: z.string(),
    api_token: apiTokenShape,
    secret: z.string().describe('Shown this once.'),
  }),
  problems: ['workspace_not_found', 'insufficient_role', 'insufficient_scope'],
  examples: [
    {
      title: 'For CI',
      input: { workspace_id: 'ws_01', name: 'CI', scopes: ['upload'] },
      output: {
        workspace_id: 'ws_01',
        secret: 'fg_…',
        api_token: {
          id: 'tok_01',
          name: 'CI',
          prefix: 'fg_abcd',
          scopes: ['upload'],
          created_at: '2026-11-20T10:00:00.000Z',
          expires_at: '2027-02-18T10:00:00.000Z',
          last_used_at: null,
          revoked_at: null,
        },
      },
    },
  ],
  link: ({ workspace_id }) => `/workspaces/${workspace_id}/api-tokens`,
  markdown: ({ api_token, secret }) =>
    `API token **${api_token.name}** (${api_token.id}). Its secret, shown this once: \`${secret}\``,
})
