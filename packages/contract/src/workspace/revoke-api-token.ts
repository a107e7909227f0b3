import { z } from 'zod'
import { apiTokenId } from '../fields.ts'
import { defineOperation } from '../operation.ts'

export const revokeApiToken = defineOperation({
  id: 'revoke_api_token',
  title: 'Revoke an API token',
  description: 'Make an API token stop working at once.',
  toolset: 'workspace',
  effect: 'destroy',
  scopes: ['write'],
  http: { method: 'DELETE', path: '/v1/api-tokens/{api_token_id}' },
  mcp: false,
  input: z.strictObject({ api_token_id: apiTokenId }),
  output: z.object({ api_token_id: z.string(), workspace_id: z.string(), revoked: z.literal(true) }),
  problems: ['token_not_found', 'insufficient_role'],
  examples: [
    {
      title: 'Revoke',
      input: { api_token_id: 'tok_01' },
      output: { api_token_id: 'tok_01', workspace_id: 'ws_01', revoked: true },
    },
  ],
  link: ({ workspace_id }) => `/workspaces/${workspace_id}/api-tokens`,
  markdown: ({ api_token_id }) => `API token ${api_token_id} is revoked.`,
})
