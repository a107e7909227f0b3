import { z } from 'zod'
import { fileId } from '../fields.ts'
import { defineOperation } from '../operation.ts'

export const restoreProjectFile = defineOperation({
  id: 'restore_project_file',
  title: 'Restore a project file',
  description: 'Let the path of a project file mean this file again, after it was replaced or deleted.',
  toolset: 'virtual_users',
  effect: 'write',
  scopes: ['write'],
  http: { method: 'POST', path: '/v1/project-files/{file_id}/restore' },
  mcp: false,
  idempotent: true,
  input: z.strictObject({ file_id: fileId }),
  output: z.object({ file_id: z.string(), project_id: z.string(), path: z.string() }),
  problems: ['file_not_found', 'insufficient_role'],
  examples: [
    {
      title: 'Undo',
      input: { file_id: 'fil_01' },
      output: { file_id: 'fil_01', project_id: 'prj_01', path: 'users.csv' },
    },
  ],
  link: ({ project_id }) => `/projects/${project_id}/files`,
  markdown: ({ path, file_id }) => `${path} is ${file_id} again.`,
})
