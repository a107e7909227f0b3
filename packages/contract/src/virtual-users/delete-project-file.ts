import { z } from 'zod'
import { fileId } from '../fields.ts'
import { defineOperation } from '../operation.ts'

export const deleteProjectFile = defineOperation({
  id: 'delete_project_file',
  title: 'Delete a project file',
  description: 'Let the path of a project file mean nothing any more. It can be restored.',
  toolset: 'virtual_users',
  effect: 'destroy',
  scopes: ['write'],
  http: { method: 'DELETE', path: '/v1/project-files/{file_id}' },
  mcp: false,
  input: z.strictObject({ file_id: fileId }),
  output: z.object({
    file_id: z.string(),
    project_id: z.string(),
    path: z.string(),
    deleted: z.literal(true),
  }),
  problems: ['file_not_found', 'insufficient_role'],
  examples: [
    {
      title: 'Delete',
      input: { file_id: 'fil_01' },
      output: { file_id: 'fil_01', project_id: 'prj_01', path: 'users.csv', deleted: true },
    },
  ],
  link: ({ project_id }) => `/projects/${project_id}/files`,
  markdown: ({ path }) => `${path} is deleted.`,
})
