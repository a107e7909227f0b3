import { z } from 'zod'
import { defineOperation } from '../operation.ts'
import { examplePerson, forAdministrators, personShape, userId } from './shapes.ts'

export const setInstallationAdmin = defineOperation({
  ...forAdministrators,
  id: 'set_installation_admin',
  title: 'Make an administrator',
  description:
    'Make a person an administrator of the installation, or end that. Those whom the setting FLAMEGATE_ADMINS names stay. For administrators of the installation.',
  effect: 'destroy',
  http: { method: 'PUT', path: '/v1/admin/people/{user_id}/administrator' },
  input: z.strictObject({
    user_id: userId,
    installation_admin: z.boolean().describe('Whether they administer the installation.'),
  }),
  output: z.object({ person: personShape }),
  problems: ['person_not_found', 'in_use', 'email_unconfirmed'],
  examples: [
    {
      title: 'A colleague',
      input: { user_id: 'usr_02', installation_admin: true },
      output: { person: { ...examplePerson, installation_admin: true } },
    },
  ],
  link: () => '/admin/people',
  markdown: ({ person }) =>
    `${person.name} ${person.installation_admin ? 'administers' : 'does not administer'} the installation.`,
})
