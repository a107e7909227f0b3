import { z } from 'zod'
import { branch, projectId, repository, tags } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import { exampleProject, projectShape } from './shapes.ts'

export const updateProject = defineOperation({
  id: 'update_project',
  title: 'Update a project',
  description:
    'Change name, description, tags, repository, default branch, pinned baseline, keyless uploads or alerts of a project. Fields left out stay as they are.',
  toolset: 'workspace',
  effect: 'write',
  scopes: ['write'],
  http: { method: 'PATCH', path: '/v1/projects/{project_id}' },
  input: z.strictObject({
    project_id: projectId,
    name: z.string().trim().min(1).max(100).optional().describe('New name.'),
    description: z.string().max(2000).optional().describe('New description.'),
    tags: tags.optional(),
    repository: repository.nullable().optional().describe('New repository as owner/name; null unties it.'),
    default_branch: branch
      .nullable()
      .optional()
      .describe('Branch that runs are judged by; null: main or master.'),
    baseline_run_id: z
      .string()
      .max(64)
      .nullable()
      .optional()
      .describe('Pins the run (run_…) to hold others against; null: none.'),
    keyless_uploads: z
      .boolean()
      .optional()
      .describe(
        'Whether GitHub Actions of its repository may upload without a token, in your name; off at first.',
      ),
    alerts: z.boolean().optional().describe('Whether its runs raise alerts; on at first.'),
    if_version: z
      .int32()
      .optional()
      .describe('Change it only when it still has this version. Over REST, send it as If-Match.'),
  }),
  output: z.object({ project: projectShape }),
  problems: [
    'project_not_found',
    'run_not_found',
    'runs_not_comparable',
    'conflict',
    'version_mismatch',
    'insufficient_role',
  ],
  examples: [
    {
      title: 'New description',
      input: { project_id: 'prj_01', description: 'Cart pricing' },
      output: { project: exampleProject },
    },
  ],
  version: ({ project }) => project.version,
  link: ({ project }) => `/projects/${project.id}`,
  markdown: ({ project }) =>
    `Project **${project.name}** (${project.id}) now has version ${project.version}.`,
})
