import { z } from 'zod'
import { projectId, timestamp } from '../fields.ts'
import { moreLine, table } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import { pageInput, pageOutput } from '../page.ts'
import { validationStates } from './validation-shapes.ts'
import { exampleVirtualUser, virtualUserShape } from './virtual-user-shapes.ts'

const lastValidation = { id: 'val_01', state: 'PASSED', created_at: '2026-11-20T10:06:00.000Z' } as const

const listedShape = virtualUserShape.extend({
  last_validation: z
    .object({ id: z.string(), state: z.enum(validationStates), created_at: timestamp })
    .nullable()
    .describe('The newest; null: it was never validated.'),
})

export const listVirtualUsers = defineOperation({
  id: 'list_virtual_users',
  title: 'List virtual users',
  description: 'Virtual users of a project, newest first.',
  toolset: 'virtual_users',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/projects/{project_id}/virtual-users' },
  input: z.strictObject({
    project_id: projectId,
    search: z.string().min(1).max(100).optional().describe('Text in the name.'),
    tag: z.string().min(1).max(60).optional().describe('Tagged so.'),
    deleted: z.boolean().default(false).describe('The deleted ones.'),
    ...pageInput,
  }),
  output: z.object({ project_id: z.string(), virtual_users: z.array(listedShape), ...pageOutput }),
  problems: ['project_not_found', 'cursor_invalid'],
  examples: [
    {
      title: 'All',
      input: { project_id: 'prj_01' },
      output: {
        project_id: 'prj_01',
        virtual_users: [{ ...exampleVirtualUser, last_validation: lastValidation }],
        next_cursor: null,
      },
    },
  ],
  link: ({ project_id }) => `/projects/${project_id}/virtual-users`,
  markdown: ({ virtual_users, next_cursor }) =>
    table(
      [
        'Virtual user',
        'Id',
        'From',
        'Tags',
        { title: 'Requests', right: true },
        'Validation',
        'Version',
        'Changed',
      ],
      virtual_users.map((user) => [
        user.name,
        user.id,
        user.source?.format,
        user.tags.join(', '),
        user.request_count,
        user.last_validation?.state,
        user.version,
        user.updated_at,
      ]),
      'No virtual users that fit. import_virtual_user makes one.',
    ) + moreLine(next_cursor),
})
