import { z } from 'zod'
import { moreLine, table } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import { pageInput, pageOutput } from '../page.ts'

export const listRepositories = defineOperation({
  id: 'list_repositories',
  title: 'List repositories',
  description:
    'Repositories (and projects without one) whose benchmark runs you may see. list_runs goes on from here.',
  toolset: 'benchmarks',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/repositories' },
  input: z.strictObject({ ...pageInput }),
  output: z.object({
    repositories: z.array(
      z.object({
        repository: z.string().nullable(),
        project_id: z.string(),
        workspace_id: z.string(),
        name: z.string(),
        visibility: z.enum(['private']),
        description: z.string(),
        run_count: z.number().int(),
      }),
    ),
    ...pageOutput,
  }),
  problems: ['cursor_invalid'],
  examples: [
    {
      title: 'One repository',
      input: {},
      output: {
        repositories: [
          {
            repository: 'acme/checkout-service',
            project_id: 'prj_01',
            workspace_id: 'ws_01',
            name: 'checkout-service',
            visibility: 'private',
            description: 'Cart pricing',
            run_count: 8,
          },
        ],
        next_cursor: null,
      },
    },
  ],
  link: () => '/projects',
  markdown: ({ repositories, next_cursor }) =>
    table(
      ['Repository', 'Project', 'Id', 'Description', { title: 'Runs', right: true }],
      repositories.map((row) => [row.repository, row.name, row.project_id, row.description, row.run_count]),
      'No repositories yet: create_project makes one.',
    ) + moreLine(next_cursor),
})
