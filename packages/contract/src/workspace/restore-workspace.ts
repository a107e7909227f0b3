import { z } from 'zod'
import { workspaceId } from '../fields.ts'
import { defineOperation } from '../operation.ts'

export const restoreWorkspace = defineOperation({
  id: 'restore_workspace',
  title: 'Restore a workspace',
  description: 'Call off the deletion of a workspace, while there is time. For its owners.',
  toolset: 'workspace',
  effect: 'write',
  scopes: ['admin'],
  // Until it is restored, everybody is a viewer there; who is an owner is asked of the database.
  role: 'viewer',
  mcp: false,
  idempotent: true,
  http: { method: 'POST', path: '/v1/workspaces/{workspace_id}/restore' },
  input: z.strictObject({ workspace_id: workspaceId }),
  output: z.object({ workspace_id: z.string(), name: z.string() }),
  problems: ['workspace_not_found', 'insufficient_role'],
  examples: [
    {
      title: 'It was a mistake',
      input: { workspace_id: 'ws_01' },
      output: { workspace_id: 'ws_01', name: 'Acme' },
    },
  ],
  link: ({ workspace_id }) => `/workspaces/${workspace_id}/settings`,
  markdown: ({ name }) => `Workspace **${name}** stays.`,
})
