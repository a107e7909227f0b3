import { z } from 'zod'
import { projectId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import { exampleSlaProfile, slaAttachment, slaProfileShape, slaProfilesLink } from './sla-shapes.ts'

export const setSlaProfile = defineOperation({
  id: 'set_sla_profile',
  title: 'Set an SLA profile',
  description:
    'Make or change an SLA profile, and attach it to virtual users or containers. Runs of these fail by a critical band. A band is {severity, metric, statistic, from, to, condition}: schema sla-profile.json.',
  toolset: 'monitoring',
  effect: 'write',
  scopes: ['write'],
  http: { method: 'PUT', path: '/v1/projects/{project_id}/sla-profiles/{name}' },
  input: z.strictObject({
    project_id: projectId,
    name: z.string().min(1).max(80).describe('Its name.'),
    description: z.string().max(2000).optional().describe('In your own words.'),
    bands: z
      .array(z.record(z.string(), z.unknown()))
      .max(100)
      .optional()
      .describe('All of them. A new profile needs some.'),
    attachments: z.array(slaAttachment).max(200).optional().describe('All of them.'),
    if_version: z.int32().min(1).optional().describe('Refuse if it has another version by now.'),
  }),
  output: z.object({ sla_profile: slaProfileShape }),
  problems: [
    'project_not_found',
    'virtual_user_not_found',
    'action_not_found',
    'invalid_input',
    'conflict',
    'version_mismatch',
    'insufficient_role',
  ],
  examples: [
    {
      title: 'Checkout stays quick',
      input: {
        project_id: 'prj_01',
        name: 'Checkout',
        bands: [
          {
            severity: 'critical',
            metric: 'duration',
            statistic: 'p95',
            from: 400,
            condition: { type: 'occurrences', times: 3 },
          },
        ],
        attachments: [{ virtual_user_id: 'vu_01', action_id: 'act_01' }],
      },
      output: { sla_profile: exampleSlaProfile },
    },
  ],
  version: ({ sla_profile }) => sla_profile.version,
  link: ({ sla_profile }) => slaProfilesLink(sla_profile.project_id),
  markdown: ({ sla_profile: { name, id, bands, attachments } }) =>
    [
      `**${name}** (${id}), attached to ${attachments.map(({ of }) => of).join('; ') || 'nothing yet'}:`,
      ...bands.map(({ text }) => `- ${text}`),
    ].join('\n'),
})
