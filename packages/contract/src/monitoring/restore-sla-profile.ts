import { z } from 'zod'
import { defineOperation } from '../operation.ts'
import { exampleSlaProfile, slaProfileId, slaProfileShape, slaProfilesLink } from './sla-shapes.ts'

export const restoreSlaProfile = defineOperation({
  id: 'restore_sla_profile',
  title: 'Bring back an SLA profile',
  description: 'Undo the deletion of an SLA profile.',
  toolset: 'monitoring',
  effect: 'write',
  scopes: ['write'],
  http: { method: 'POST', path: '/v1/sla-profiles/{sla_profile_id}/restore' },
  mcp: false,
  idempotent: true,
  input: z.strictObject({ sla_profile_id: slaProfileId }),
  output: z.object({ sla_profile: slaProfileShape }),
  problems: ['sla_profile_not_found', 'conflict', 'insufficient_role'],
  examples: [
    {
      title: 'Bring back',
      input: { sla_profile_id: 'sla_01' },
      output: { sla_profile: exampleSlaProfile },
    },
  ],
  link: ({ sla_profile }) => slaProfilesLink(sla_profile.project_id),
  markdown: ({ sla_profile: { name, id } }) => `**${name}** (${id}) is there again.`,
})
