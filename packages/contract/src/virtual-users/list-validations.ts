import { z } from 'zod'
import { virtualUserId } from '../fields.ts'
import { moreLine, table } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import { pageInput, pageOutput } from '../page.ts'
import { exampleValidation, validationShape } from './validation-shapes.ts'

export const listValidations = defineOperation({
  id: 'list_validations',
  title: 'Validations of a virtual user',
  description: 'Every functional check of a virtual user, newest first.',
  toolset: 'virtual_users',
  effect: 'read',
  scopes: ['read'],
  mcp: false,
  http: { method: 'GET', path: '/v1/virtual-users/{virtual_user_id}/validations' },
  input: z.strictObject({ virtual_user_id: virtualUserId, ...pageInput }),
  output: z.object({
    virtual_user_id: z.string(),
    validations: z.array(validationShape),
    ...pageOutput,
  }),
  problems: ['virtual_user_not_found', 'cursor_invalid'],
  examples: [
    {
      title: 'All of one',
      input: { virtual_user_id: 'vu_01' },
      output: { virtual_user_id: 'vu_01', validations: [exampleValidation], next_cursor: null },
    },
  ],
  link: ({ virtual_user_id }) => `/virtual-users/${virtual_user_id}/validations`,
  markdown: ({ validations, next_cursor }) =>
    table(
      ['Validation', 'State', 'Version', 'When', 'Message'],
      validations.map(({ id, state, version, created_at, message }) => [
        id,
        state,
        version,
        created_at,
        message,
      ]),
      'None yet.',
    ) + moreLine(next_cursor),
})
