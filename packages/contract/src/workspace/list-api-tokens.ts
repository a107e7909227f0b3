import { z } from 'zod'
import { workspaceId } from '../fields.ts'
import { table } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import { apiTokenShape } from './shapes.ts'

export const listApiTokens = defineOperation({
  id: 'list_api_tokens',
  title: 'List API tokens',
  description:
    'API tokens of a workspace: your own, and everybody’s when you are an admin. Secrets are never shown.',
  toolset: 'workspace',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/workspaces/{workspace_id}/api-tokens' },
  mcp: false,
  input: z.strictObject({ workspace_id: workspaceId }),
  output: z.object({ workspace_id: z.string(), api_tokens: z.array(apiTokenShape) }),
  problems: ['workspace_not_found'],
  examples: [
    {
      title: 'None yet',
      input: { workspace_id: 'ws_01' },
      output: { workspace_id: 'ws_01', api_tokens: [] },
    },
  ],
  link: ({ workspace_id }) => `/workspaces/${workspace_id}/api-tokens`,
  markdown: ({ api_tokens }) =>
    table(
      ['Name', 'Id', 'Begins with', 'Scopes', 'Expires', 'Last used', 'Revoked'],
      api_tokens.map((token) => [
        token.name,
        token.id,
        token.prefix,
        token.scopes.join(', '),
        token.expires_at,
        token.last_used_at,
        token.revoked_at,
      ]),
      'No API tokens yet.',
    ),
})
