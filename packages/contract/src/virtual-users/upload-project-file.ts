import { z } from 'zod'
import { projectId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import {
  exampleUpload,
  presignedShape,
  taskFields,
  uploadInstructions,
  uploadLimits,
} from '../upload-shapes.ts'

export const uploadProjectFile = defineOperation({
  id: 'upload_project_file',
  title: 'Upload a project file',
  description:
    'Add or replace a file that virtual users read or send: answers a single-use upload URL and a curl line, or takes 100 kB inline.',
  toolset: 'virtual_users',
  effect: 'write',
  scopes: ['write'],
  http: { method: 'POST', path: '/v1/projects/{project_id}/files/uploads', status: 202 },
  input: z.strictObject({
    project_id: projectId,
    path: z.string().describe('users.csv, or photos/a.png'),
    size_bytes: z
      .int()
      .min(1)
      .max(uploadLimits.projectFileBytes)
      .optional()
      .describe('Exact size; needed without content.'),
    content: z
      .string()
      .max(Math.ceil((uploadLimits.inlineBytes * 4) / 3) + 4)
      .optional()
      .describe('The whole file inline.'),
    content_encoding: z.enum(['text', 'base64']).default('text').describe('Of content.'),
  }),
  output: z.object({
    file_id: z.string(),
    project_id: z.string(),
    path: z.string(),
    upload: presignedShape.nullable().describe('null when the content came inline.'),
    ...taskFields,
  }),
  problems: ['plan_limit_reached', 'project_not_found', 'invalid_input', 'too_large', 'insufficient_role'],
  examples: [
    {
      title: 'A CSV file',
      input: { project_id: 'prj_01', path: 'users.csv', size_bytes: 48_211 },
      output: {
        file_id: 'fil_01',
        project_id: 'prj_01',
        path: 'users.csv',
        upload: exampleUpload,
        task_id: 'tsk_01',
        next_poll_seconds: 1,
      },
    },
  ],
  link: ({ project_id }) => `/projects/${project_id}/files`,
  markdown: ({ upload, task_id, path }) =>
    upload === null
      ? `${path} is being stored. Ask get_task_result about task ${task_id}.`
      : uploadInstructions(upload, task_id),
})
