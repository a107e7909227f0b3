import { z } from 'zod'
import { defineOperation } from '../operation.ts'
import { examplePerson, forAdministrators, personShape, userId } from './shapes.ts'

export const disablePerson = defineOperation({
  ...forAdministrators,
  id: 'disable_person',
  title: 'Disable a person',
  description:
    'Shut a person out, or let them in again: they cannot log in, their sessions and connected apps end within a second, and their API tokens sleep. What they made stays. For administrators of the installation.',
  effect: 'destroy',
  idempotent: true,
  http: { method: 'POST', path: '/v1/admin/people/{user_id}/disable' },
  input: z.strictObject({
    user_id: userId,
    disabled: z.boolean().default(true).describe('False lets them in again.'),
    reason: z
      .string()
      .trim()
      .min(1)
      .max(300)
      .default('No reason was given.')
      .describe('Shown to other administrators.'),
  }),
  output: z.object({ person: personShape }),
  problems: ['person_not_found', 'in_use'],
  examples: [
    {
      title: 'Somebody left',
      input: { user_id: 'usr_02', reason: 'Left the company.' },
      output: {
        person: {
          ...examplePerson,
          session_count: 0,
          disabled_at: '2026-11-21T10:00:00.000Z',
          disabled_reason: 'Left the company.',
        },
      },
    },
  ],
  link: () => '/admin/people',
  markdown: ({ person }) =>
    person.disabled_at === null ? `${person.name} may come again.` : `${person.name} is disabled.`,
})
