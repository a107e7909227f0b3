import { z } from 'zod'
import { workspaceId } from '../fields.ts'
import { defineOperation } from '../operation.ts'

export const deleteSso = defineOperation({
  id: 'delete_sso',
  title: 'Remove single sign-on',
  description:
    'Nobody logs in with the provider any more; members stay, and choose a password by mail. For owners.',
  toolset: 'workspace',
  effect: 'destroy',
  scopes: ['admin'],
  role: 'owner',
  mcp: false,
  http: { method: 'DELETE', path: '/v1/workspaces/{workspace_id}/sso' },
  input: z.strictObject({ workspace_id: workspaceId }),
  output: z.object({ workspace_id: z.string(), deleted: z.literal(true) }),
  problems: ['workspace_not_found', 'insufficient_role', 'sso_not_found'],
  examples: [
    {
      title: 'Remove it',
      input: { workspace_id: 'ws_01' },
      output: { workspace_id: 'ws_01', deleted: true },
    },
  ],
  link: ({ workspace_id }) => `/workspaces/${workspace_id}/sso`,
  markdown: () => 'Single sign-on is removed.',
})
