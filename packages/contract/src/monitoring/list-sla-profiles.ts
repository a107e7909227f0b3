import { z } from 'zod'
import { projectId } from '../fields.ts'
import { table } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import { exampleSlaProfile, slaProfileShape, slaProfilesLink, suggestedBandsShape } from './sla-shapes.ts'

export const listSlaProfiles = defineOperation({
  id: 'list_sla_profiles',
  title: 'List SLA profiles',
  description:
    'Ranges of metrics that runs are held against, where they are attached, and bands to begin with.',
  toolset: 'monitoring',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/projects/{project_id}/sla-profiles' },
  input: z.strictObject({ project_id: projectId }),
  output: z.object({
    project_id: z.string(),
    sla_profiles: z.array(slaProfileShape).describe('By name.'),
    suggested_bands: suggestedBandsShape.describe('Defaults for each metric, for set_sla_profile.'),
  }),
  problems: ['project_not_found'],
  examples: [
    {
      title: 'One',
      input: { project_id: 'prj_01' },
      output: {
        project_id: 'prj_01',
        sla_profiles: [exampleSlaProfile],
        suggested_bands: exampleSlaProfile.bands,
      },
    },
  ],
  link: ({ project_id }) => slaProfilesLink(project_id),
  markdown: ({ sla_profiles, suggested_bands }) =>
    [
      table(
        ['Name', 'Bands', 'Attached to', 'Id'],
        sla_profiles.map(({ name, bands, attachments, id }) => [
          name,
          bands.map(({ text }) => text).join('; '),
          attachments
            .map(
              ({ of, virtual_user_id: user, action_id: action }) =>
                of ?? `${user} ${action ?? ''}, which is gone`,
            )
            .join('; ') || 'nothing',
          id,
        ]),
        'No SLA profiles yet.',
      ),
      `Suggested:\n${suggested_bands.map(({ text }) => `- ${text}`).join('\n')}`,
    ].join('\n\n'),
})
