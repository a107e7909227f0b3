import { z } from 'zod'
import { workspaceId } from '../fields.ts'
import { defineOperation } from '../operation.ts'

export const leaveWorkspace = defineOperation({
  id: 'leave_workspace',
  title: 'Leave a workspace',
  description: 'Be a member no more; your API tokens there are revoked. The last owner stays.',
  toolset: 'workspace',
  effect: 'destroy',
  scopes: ['admin'],
  role: 'viewer',
  mcp: false,
  http: { method: 'POST', path: '/v1/workspaces/{workspace_id}/leave' },
  input: z.strictObject({ workspace_id: workspaceId }),
  output: z.object({ workspace_id: z.string(), name: z.string() }),
  problems: ['workspace_not_found', 'last_owner'],
  examples: [
    {
      title: 'Leave',
      input: { workspace_id: 'ws_01' },
      output: { workspace_id: 'ws_01', name: 'Acme' },
    },
  ],
  link: () => '/workspaces',
  markdown: ({ name }) => `You left **${name}**.`,
})
