import { z } from 'zod'
import { projectId } from '../fields.ts'
import { defineOperation } from '../operation.ts'

export const deleteProject = defineOperation({
  id: 'delete_project',
  title: 'Delete a project',
  description:
    'Remove a project and everything in it, for good: runs, benchmarks, profiles, files. Needs the exact current name of the project.',
  toolset: 'workspace',
  effect: 'destroy',
  scopes: ['write'],
  role: 'admin',
  http: { method: 'DELETE', path: '/v1/projects/{project_id}' },
  input: z.strictObject({
    project_id: projectId,
    confirm: z.string().describe('The exact current name of the project.'),
  }),
  output: z.object({
    project_id: z.string(),
    workspace_id: z.string(),
    name: z.string(),
    deleted: z.literal(true),
  }),
  problems: ['project_not_found', 'confirmation_mismatch', 'insufficient_role'],
  examples: [
    {
      title: 'By its name',
      input: { project_id: 'prj_01', confirm: 'checkout-service' },
      output: { project_id: 'prj_01', workspace_id: 'ws_01', name: 'checkout-service', deleted: true },
    },
  ],
  link: ({ workspace_id }) => `/workspaces/${workspace_id}/projects`,
  markdown: ({ name }) => `Project **${name}** and everything in it is deleted.`,
})
