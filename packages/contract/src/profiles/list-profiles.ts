import { z } from 'zod'
import { projectId } from '../fields.ts'
import { moreLine, table } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import { pageInput, pageOutput } from '../page.ts'
import { exampleProfile, profileShape } from './shapes.ts'

export const listProfiles = defineOperation({
  id: 'list_profiles',
  title: 'List profiles',
  description: 'Profiles of a project, newest first, by type, run, benchmark or status.',
  toolset: 'profiles',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/projects/{project_id}/profiles' },
  input: z.strictObject({
    project_id: projectId,
    type: z.string().max(40).optional().describe('Only this type, such as cpu or heap.'),
    run_id: z.string().max(64).optional().describe('Only profiles of this run.'),
    benchmark_id: z.string().max(64).optional().describe('Only profiles of this benchmark.'),
    status: z.enum(['PENDING', 'READY', 'FAILED']).optional().describe('Only this status.'),
    ...pageInput,
  }),
  output: z.object({ project_id: z.string(), profiles: z.array(profileShape), ...pageOutput }),
  problems: ['project_not_found', 'cursor_invalid'],
  examples: [
    {
      title: 'CPU profiles',
      input: { project_id: 'prj_01', type: 'cpu' },
      output: { project_id: 'prj_01', profiles: [exampleProfile], next_cursor: null },
    },
  ],
  link: ({ project_id }) => `/projects/${project_id}/profiles`,
  markdown: ({ profiles, next_cursor }) =>
    table(
      ['Profile', 'Id', 'Type', 'Format', 'Status', 'Run', { title: 'Samples', right: true }, 'When'],
      profiles.map((profile) => [
        profile.name,
        profile.id,
        profile.type,
        profile.format,
        profile.status,
        profile.run_id,
        profile.sample_count,
        profile.created_at,
      ]),
      'No profiles that fit.',
    ) + moreLine(next_cursor),
})
