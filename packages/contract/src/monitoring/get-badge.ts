import { z } from 'zod'
import { projectId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import { badgeShape } from './shapes.ts'

export const getBadge = defineOperation({
  id: 'get_badge',
  title: 'Get the badge of a project',
  description: 'The address of the picture that says how a project does, for a readme, if there is one.',
  toolset: 'monitoring',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/projects/{project_id}/badge' },
  mcp: false,
  input: z.strictObject({ project_id: projectId }),
  output: badgeShape,
  problems: ['project_not_found'],
  examples: [
    {
      title: 'None',
      input: { project_id: 'prj_01' },
      output: { project_id: 'prj_01', image_url: null, markdown: null },
    },
  ],
  link: ({ project_id }) => `/projects/${project_id}/notifications`,
  markdown: ({ markdown }) => markdown ?? 'The project has no badge.',
})
