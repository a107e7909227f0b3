import { z } from 'zod'
import { email, workspaceId } from '../fields.ts'
import { defineOperation } from '../operation.ts'

export const transferWorkspace = defineOperation({
  id: 'transfer_workspace',
  title: 'Transfer ownership',
  description: 'Make another member owner in your place; you stay as an admin. For owners.',
  toolset: 'workspace',
  effect: 'destroy',
  scopes: ['admin'],
  role: 'owner',
  mcp: false,
  http: { method: 'POST', path: '/v1/workspaces/{workspace_id}/transfer' },
  input: z.strictObject({ workspace_id: workspaceId, email }),
  output: z.object({
    workspace_id: z.string(),
    owner: z.string().describe('E-mail address of the new owner.'),
  }),
  problems: ['workspace_not_found', 'member_not_found', 'insufficient_role'],
  examples: [
    {
      title: 'To a colleague',
      input: { workspace_id: 'ws_01', email: 'bob@example.com' },
      output: { workspace_id: 'ws_01', owner: 'bob@example.com' },
    },
  ],
  link: ({ workspace_id }) => `/workspaces/${workspace_id}/members`,
  markdown: ({ owner }) => `${owner} owns the workspace now.`,
})
