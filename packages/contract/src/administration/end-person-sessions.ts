import { z } from 'zod'
import { defineOperation } from '../operation.ts'
import { examplePerson, forAdministrators, personShape, userId } from './shapes.ts'

export const endPersonSessions = defineOperation({
  ...forAdministrators,
  id: 'end_person_sessions',
  title: 'End a person’s sessions',
  description:
    'End every session and connected app of a person, who may log in again: for a stolen laptop. API tokens stay. For administrators of the installation.',
  effect: 'destroy',
  idempotent: true,
  http: { method: 'POST', path: '/v1/admin/people/{user_id}/end-sessions' },
  input: z.strictObject({ user_id: userId }),
  output: z.object({
    person: personShape,
    ended_sessions: z.number().int(),
    ended_apps: z.number().int().describe('Connected apps that have to be allowed anew.'),
  }),
  problems: ['person_not_found'],
  examples: [
    {
      title: 'A stolen laptop',
      input: { user_id: 'usr_02' },
      output: { person: { ...examplePerson, session_count: 0 }, ended_sessions: 1, ended_apps: 2 },
    },
  ],
  link: () => '/admin/people',
  markdown: ({ person, ended_sessions, ended_apps }) =>
    `${person.name}: ${ended_sessions} sessions and ${ended_apps} connected apps ended.`,
})
