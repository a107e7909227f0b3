import { z } from 'zod'
import { defineOperation } from '../operation.ts'
import { workspaceName, workspaceShape } from './shapes.ts'

export const createWorkspace = defineOperation({
  id: 'create_workspace',
  title: 'Create a workspace',
  description: 'A new workspace, in which you are owner. Not with a credential that is limited to others.',
  toolset: 'workspace',
  effect: 'write',
  scopes: ['admin'],
  // In the one that is made, there is no role yet.
  role: 'viewer',
  mcp: false,
  http: { method: 'POST', path: '/v1/workspaces', status: 201 },
  input: z.strictObject({ name: workspaceName }),
  output: z.object({ workspace: workspaceShape }),
  problems: ['insufficient_role'],
  examples: [
    {
      title: 'For another team',
      input: { name: 'Acme Labs' },
      output: {
        workspace: {
          id: 'ws_02',
          slug: 'acme-labs-3f9a',
          name: 'Acme Labs',
          plan: 'free',
          role: 'owner',
          deletes_at: null,
        },
      },
    },
  ],
  link: ({ workspace }) => `/workspaces/${workspace.id}/settings`,
  markdown: ({ workspace }) => `Workspace **${workspace.name}** (${workspace.id}) is made.`,
})
