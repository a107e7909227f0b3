import { z } from 'zod'
import { workspaceId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import { workspaceName, workspaceShape } from './shapes.ts'

export const updateWorkspace = defineOperation({
  id: 'update_workspace',
  title: 'Rename a workspace',
  description: 'Change the name or the slug of a workspace.',
  toolset: 'workspace',
  effect: 'write',
  scopes: ['admin'],
  mcp: false,
  http: { method: 'PATCH', path: '/v1/workspaces/{workspace_id}' },
  input: z.strictObject({
    workspace_id: workspaceId,
    name: workspaceName.optional(),
    slug: z
      .string()
      .min(2)
      .max(60)
      .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'Write lower-case letters and digits, with single dashes between.')
      .optional()
      .describe('A short name for addresses.'),
  }),
  output: z.object({ workspace: workspaceShape }),
  problems: ['workspace_not_found', 'insufficient_role', 'conflict'],
  examples: [
    {
      title: 'A new name',
      input: { workspace_id: 'ws_01', name: 'Acme Performance' },
      output: {
        workspace: {
          id: 'ws_01',
          slug: 'acme',
          name: 'Acme Performance',
          plan: 'free',
          role: 'admin',
          deletes_at: null,
        },
      },
    },
  ],
  link: ({ workspace }) => `/workspaces/${workspace.id}/settings`,
  markdown: ({ workspace }) => `Workspace **${workspace.name}**, ${workspace.slug}.`,
})
