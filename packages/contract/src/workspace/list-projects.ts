import { z } from 'zod'
import { workspaceId } from '../fields.ts'
import { moreLine, table } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import { pageInput, pageOutput } from '../page.ts'
import { exampleProject, projectShape } from './shapes.ts'

export const listProjects = defineOperation({
  id: 'list_projects',
  title: 'List projects',
  description:
    'Projects of a workspace, newest first, with how many runs, benchmarks and profiles each holds.',
  toolset: 'workspace',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/workspaces/{workspace_id}/projects' },
  input: z.strictObject({
    workspace_id: workspaceId,
    search: z.string().max(100).optional().describe('Only projects whose name or repository contains this.'),
    ...pageInput,
  }),
  output: z.object({ workspace_id: z.string(), projects: z.array(projectShape), ...pageOutput }),
  problems: ['workspace_not_found', 'cursor_invalid'],
  examples: [
    {
      title: 'One project',
      input: { workspace_id: 'ws_01' },
      output: { workspace_id: 'ws_01', projects: [exampleProject], next_cursor: null },
    },
  ],
  link: ({ workspace_id }) => `/workspaces/${workspace_id}/projects`,
  markdown: ({ projects, next_cursor }) =>
    table(
      [
        'Project',
        'Id',
        'Repository',
        { title: 'Runs', right: true },
        { title: 'Benchmarks', right: true },
        { title: 'Profiles', right: true },
      ],
      projects.map((project) => [
        project.name,
        project.id,
        project.repository,
        project.run_count,
        project.benchmark_count,
        project.profile_count,
      ]),
      'No projects yet: create_project makes one.',
    ) + moreLine(next_cursor),
})
