import { z } from 'zod'
import { projectId, timestamp } from '../fields.ts'
import { table } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import { formatQuantity } from '../quantity.ts'

export const listProjectFiles = defineOperation({
  id: 'list_project_files',
  title: 'List project files',
  description:
    'Files that virtual users of a project read or send, by path, with the earlier ones of each path, and those that were deleted.',
  toolset: 'virtual_users',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/projects/{project_id}/files' },
  mcp: false,
  input: z.strictObject({ project_id: projectId }),
  output: z.object({
    project_id: z.string(),
    files: z.array(
      z.object({
        path: z.string(),
        file_id: z.string().nullable().describe('The one that the path means; null: it was deleted.'),
        versions: z.array(
          z.object({
            file_id: z.string(),
            size_bytes: z.number().int(),
            sha256: z.string().nullable(),
            created_at: timestamp,
          }),
        ),
      }),
    ),
    is_complete: z.boolean().describe('False: there are more than are told.'),
  }),
  problems: ['project_not_found'],
  examples: [
    {
      title: 'One',
      input: { project_id: 'prj_01' },
      output: {
        project_id: 'prj_01',
        files: [
          {
            path: 'users.csv',
            file_id: 'fil_01',
            versions: [
              {
                file_id: 'fil_01',
                size_bytes: 48_211,
                sha256: null,
                created_at: '2026-11-20T10:00:00.000Z',
              },
            ],
          },
        ],
        is_complete: true,
      },
    },
  ],
  link: ({ project_id }) => `/projects/${project_id}/files`,
  markdown: ({ files }) =>
    table(
      ['Path', { title: 'Size', right: true }, { title: 'Versions', right: true }, 'Since', 'Id'],
      files.map(({ path, file_id, versions }) => {
        const current = versions.find((version) => version.file_id === file_id)
        return [
          path,
          current === undefined ? 'deleted' : formatQuantity(current.size_bytes, 'bytes'),
          versions.length,
          current?.created_at,
          file_id,
        ]
      }),
      'No files yet.',
    ),
})
