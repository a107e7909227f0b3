import { z } from 'zod'
import { projectId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import { badgeShape } from './shapes.ts'

export const setBadge = defineOperation({
  id: 'set_badge',
  title: 'Give a project a badge',
  description:
    'Show everybody who has its address how many regressions are open, and on request the newest value of a benchmark. The address cannot be guessed, and a new one makes the old one useless.',
  toolset: 'monitoring',
  effect: 'write',
  scopes: ['admin'],
  http: { method: 'PUT', path: '/v1/projects/{project_id}/badge' },
  mcp: false,
  input: z.strictObject({
    project_id: projectId,
    is_public: z.boolean().describe('Whether there is a badge.'),
    new_address: z.boolean().default(false).describe('Replaces the address.'),
  }),
  output: badgeShape,
  problems: ['project_not_found', 'insufficient_role'],
  examples: [
    {
      title: 'A badge',
      input: { project_id: 'prj_01', is_public: true },
      output: {
        project_id: 'prj_01',
        image_url: 'https://flamegate.example/v1/badges/a1b2c3.svg',
        markdown:
          '[![performance](https://flamegate.example/v1/badges/a1b2c3.svg)](https://flamegate.example/projects/prj_01)',
      },
    },
  ],
  link: ({ project_id }) => `/projects/${project_id}/notifications`,
  markdown: ({ markdown }) => markdown ?? 'The project has no badge any more.',
})
