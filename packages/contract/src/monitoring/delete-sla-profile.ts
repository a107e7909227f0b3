import { z } from 'zod'
import { defineOperation } from '../operation.ts'
import { slaProfileId, slaProfilesLink } from './sla-shapes.ts'

export const deleteSlaProfile = defineOperation({
  id: 'delete_sla_profile',
  title: 'Delete an SLA profile',
  description: 'Remove an SLA profile; people can bring it back. Runs that were held against it still are.',
  toolset: 'monitoring',
  effect: 'destroy',
  scopes: ['write'],
  http: { method: 'DELETE', path: '/v1/sla-profiles/{sla_profile_id}' },
  mcp: false,
  input: z.strictObject({ sla_profile_id: slaProfileId }),
  output: z.object({ sla_profile_id: z.string(), project_id: z.string(), deleted: z.literal(true) }),
  problems: ['sla_profile_not_found', 'insufficient_role'],
  examples: [
    {
      title: 'Delete',
      input: { sla_profile_id: 'sla_01' },
      output: { sla_profile_id: 'sla_01', project_id: 'prj_01', deleted: true },
    },
  ],
  link: ({ project_id }) => slaProfilesLink(project_id),
  markdown: ({ sla_profile_id }) => `SLA profile ${sla_profile_id} is deleted.`,
})
