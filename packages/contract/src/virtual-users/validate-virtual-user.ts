import { z } from 'zod'
import { virtualUserId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import { taskFields } from '../upload-shapes.ts'
import { exampleValidation, validationLink, validationShape } from './validation-shapes.ts'

export const validateVirtualUser = defineOperation({
  id: 'validate_virtual_user',
  title: 'Validate a virtual user',
  description:
    'Runs one virtual user against its real servers and keeps every exchange. Poll get_virtual_user_validation_index.',
  toolset: 'virtual_users',
  effect: 'run',
  scopes: ['run'],
  http: { method: 'POST', path: '/v1/virtual-users/{virtual_user_id}/validations', status: 202 },
  input: z.strictObject({
    virtual_user_id: virtualUserId,
    iterations: z.number().int().min(1).max(20).default(1).describe('How often.'),
  }),
  output: z.object({ validation: validationShape, ...taskFields }),
  problems: ['virtual_user_not_found', 'insufficient_role'],
  examples: [
    {
      title: 'Once',
      input: { virtual_user_id: 'vu_01' },
      output: {
        validation: {
          ...exampleValidation,
          state: 'PENDING',
          passed: 0,
          failed: 0,
          message: 'Waiting for a worker.',
          started_at: null,
          finished_at: null,
        },
        task_id: 'tsk_01',
        next_poll_seconds: 2,
      },
    },
  ],
  link: ({ validation }) => validationLink(validation),
  markdown: ({ validation, next_poll_seconds }) =>
    `Validation ${validation.id}: **${validation.state}**. Ask get_virtual_user_validation_index in ${next_poll_seconds} s.`,
})
