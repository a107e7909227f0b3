import { z } from 'zod'
import { profileId } from '../fields.ts'
import { defineOperation } from '../operation.ts'

export const deleteProfile = defineOperation({
  id: 'delete_profile',
  title: 'Delete a profile',
  description: 'Remove a profile and its file, for good.',
  toolset: 'profiles',
  effect: 'destroy',
  scopes: ['write'],
  http: { method: 'DELETE', path: '/v1/profiles/{profile_id}' },
  input: z.strictObject({ profile_id: profileId }),
  output: z.object({ profile_id: z.string(), project_id: z.string(), deleted: z.literal(true) }),
  problems: ['profile_not_found', 'insufficient_role'],
  examples: [
    {
      title: 'Delete',
      input: { profile_id: 'prf_01' },
      output: { profile_id: 'prf_01', project_id: 'prj_01', deleted: true },
    },
  ],
  link: ({ project_id }) => `/projects/${project_id}/profiles`,
  markdown: ({ profile_id }) => `Profile ${profile_id} is deleted.`,
})
