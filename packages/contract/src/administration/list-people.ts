import { z } from 'zod'
import { moreLine, table } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import { pageInput, pageOutput } from '../page.ts'
import { examplePerson, forAdministrators, personShape } from './shapes.ts'

export const listPeople = defineOperation({
  ...forAdministrators,
  id: 'list_people',
  title: 'List people',
  description:
    'Everybody with an account, newest first: confirmed or not, disabled or not, in how many workspaces and browsers. For administrators of the installation.',
  effect: 'read',
  http: { method: 'GET', path: '/v1/admin/people' },
  input: z.strictObject({
    search: z.string().min(1).max(254).optional().describe('Only those with this in their name or address.'),
    disabled: z.boolean().optional().describe('Only those who are disabled, or only the others.'),
    ...pageInput,
  }),
  output: z.object({ people: z.array(personShape), ...pageOutput }),
  problems: ['person_not_found', 'cursor_invalid'],
  examples: [{ title: 'One person', input: {}, output: { people: [examplePerson], next_cursor: null } }],
  link: () => '/admin/people',
  markdown: ({ people, next_cursor }) =>
    table(
      ['Person', 'E-mail', 'Id', { title: 'Workspaces', right: true }, 'Disabled'],
      people.map((person) => [
        person.name,
        person.email,
        person.id,
        person.workspace_count,
        person.disabled_reason,
      ]),
      'Nobody fits.',
    ) + moreLine(next_cursor),
})
