import { z } from 'zod'
import { projectId } from '../fields.ts'
import { moreLine, table } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import { pageInput, pageOutput } from '../page.ts'
import { exampleProfile, profileShape } from './shapes.ts'

// What is checked here and not said costs the list of tools nothing.
const word = z.string().refine((text) => text.length <= 300, 'At most 300 characters.')
const time = word.refine(
  (text) => /^[1-9]\d{3}-/.test(text) && !Number.isNaN(Date.parse(text)),
  'Write it as 2026-11-21T10:00:00Z.',
)

export const listProfiles = defineOperation({
  id: 'list_profiles',
  title: 'List profiles',
  description: 'Profiles of a project, newest first, by what they are of.',
  toolset: 'profiles',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/projects/{project_id}/profiles' },
  input: z.strictObject({
    project_id: projectId,
    type: z.string().max(40).optional().describe('Such as cpu or heap.'),
    run_id: z.string().max(64).optional().describe('Of this run.'),
    benchmark_id: z.string().max(64).optional().describe('Of this benchmark.'),
    service: word.optional().describe('Of this service.'),
    label: word
      .refine((text) => text.indexOf('=') > 0, 'Write it as name=value.')
      .optional()
      .describe('Labelled so: name=value.'),
    tag: word.optional().describe('Tagged so.'),
    since: time.optional().describe('Stored since.'),
    until: time.optional().describe('Stored before.'),
    status: z.enum(['PENDING', 'READY', 'FAILED']).optional().describe('In this state.'),
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
