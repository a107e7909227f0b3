import { z } from 'zod'
import { timestamp, workspaceId } from '../fields.ts'
import { defineOperation } from '../operation.ts'

export const deleteWorkspace = defineOperation({
  id: 'delete_workspace',
  title: 'Delete a workspace',
  description:
    'Let a workspace go in 14 days, with all that is in it. Until then everybody in it reads, nobody changes anything, and an owner can restore it. Needs its exact name.',
  toolset: 'workspace',
  effect: 'destroy',
  scopes: ['admin'],
  role: 'owner',
  mcp: false,
  http: { method: 'DELETE', path: '/v1/workspaces/{workspace_id}' },
  input: z.strictObject({
    workspace_id: workspaceId,
    confirm: z.string().max(200).describe('The exact current name of the workspace.'),
  }),
  output: z.object({ workspace_id: z.string(), name: z.string(), deletes_at: timestamp }),
  problems: ['workspace_not_found', 'confirmation_mismatch', 'insufficient_role'],
  examples: [
    {
      title: 'By its name',
      input: { workspace_id: 'ws_01', confirm: 'Acme' },
      output: { workspace_id: 'ws_01', name: 'Acme', deletes_at: '2026-12-05T10:00:00.000Z' },
    },
  ],
  link: ({ workspace_id }) => `/workspaces/${workspace_id}/settings`,
  markdown: ({ name, deletes_at }) =>
    `Workspace **${name}** goes at ${deletes_at}. Until then an owner can restore it.`,
})
