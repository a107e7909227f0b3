import { z } from 'zod'
import { virtualUserId } from '../fields.ts'
import { table } from '../markdown.ts'
import { defineOperation } from '../operation.ts'

export const sanityCheckVirtualUser = defineOperation({
  id: 'sanity_check_virtual_user',
  title: 'Check the design of a virtual user',
  description: 'Design faults found without traffic: missing files, unknown variables, no server.',
  toolset: 'virtual_users',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/virtual-users/{virtual_user_id}/sanity' },
  input: z.strictObject({ virtual_user_id: virtualUserId }),
  output: z.object({
    virtual_user_id: z.string(),
    version: z.number().int(),
    findings: z.array(
      z.object({
        grade: z.enum(['ERROR', 'WARNING', 'INFO']),
        code: z.string(),
        action_id: z.string().nullable(),
        action_name: z.string().nullable(),
        message: z.string(),
        advice: z.string(),
      }),
    ),
  }),
  problems: ['virtual_user_not_found'],
  examples: [
    {
      title: 'A file that is missing',
      input: { virtual_user_id: 'vu_01' },
      output: {
        virtual_user_id: 'vu_01',
        version: 3,
        findings: [
          {
            grade: 'ERROR',
            code: 'missing_file',
            action_id: 'act_07',
            action_name: 'GET /account',
            message: 'users.csv is no file of the project.',
            advice: 'Upload it with upload_project_file.',
          },
        ],
      },
    },
  ],
  link: ({ virtual_user_id }) => `/virtual-users/${virtual_user_id}/sanity`,
  markdown: ({ findings }) =>
    table(
      ['Grade', 'Action', 'What', 'What to do'],
      findings.map(({ grade, action_id, message, advice }) => [grade, action_id, message, advice]),
      'Nothing is wrong with its design.',
    ),
})
