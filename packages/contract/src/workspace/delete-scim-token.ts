import { z } from 'zod'
import { workspaceId } from '../fields.ts'
import { defineOperation } from '../operation.ts'

export const deleteScimToken = defineOperation({
  id: 'delete_scim_token',
  title: 'Remove the SCIM token',
  description:
    'The identity provider adds and removes nobody any more, from the next call on; members stay. For owners.',
  toolset: 'workspace',
  effect: 'destroy',
  scopes: ['admin'],
  role: 'owner',
  mcp: false,
  http: { method: 'DELETE', path: '/v1/workspaces/{workspace_id}/scim' },
  input: z.strictObject({ workspace_id: workspaceId }),
  output: z.object({ workspace_id: z.string(), deleted: z.literal(true) }),
  problems: ['workspace_not_found', 'insufficient_role', 'scim_not_found'],
  examples: [
    {
      title: 'Remove it',
      input: { workspace_id: 'ws_01' },
      output: { workspace_id: 'ws_01', deleted: true },
    },
  ],
  link: ({ workspace_id }) => `/workspaces/${workspace_id}/sso`,
  markdown: () => 'The SCIM token is removed.',
})
