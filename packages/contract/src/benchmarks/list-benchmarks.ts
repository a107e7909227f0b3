import { z } from 'zod'
import { timestamp } from '../fields.ts'
import { moreLine, table } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import { pageInput, pageOutput } from '../page.ts'
import { formatQuantity } from '../quantity.ts'
import { instrument, repositoryOrProject } from './shapes.ts'

export const listBenchmarks = defineOperation({
  id: 'list_benchmarks',
  title: 'List benchmarks',
  description: 'Benchmarks of a repository with their last value. get_benchmark_history shows more.',
  toolset: 'benchmarks',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/repositories/{repository}/benchmarks' },
  input: z.strictObject({
    repository: repositoryOrProject,
    search: z.string().max(200).optional().describe('Only with this in the uri.'),
    state: z.enum(['active', 'ignored', 'archived', 'all']).default('active').describe('Only in this state.'),
    ...pageInput,
  }),
  output: z.object({
    project_id: z.string(),
    benchmarks: z.array(
      z.object({
        id: z.string(),
        uri: z.string(),
        name: z.string(),
        instrument,
        metric: z.string(),
        better_when: z.enum(['lower', 'higher']),
        last_value: z.number(),
        unit: z.string(),
        last_run_id: z.string(),
        last_run_at: timestamp,
        run_count: z.number().int(),
        state: z.enum(['active', 'ignored', 'archived']),
        is_critical: z.boolean(),
        threshold_percent: z.number().nullable().describe('Its own; null: as everywhere in the project.'),
        noise_percent: z
          .number()
          .nullable()
          .describe('How far its runs on the default branch differ without a change; null with too few.'),
        open_alert_count: z.number().int(),
        trend: z.array(z.number()).describe('Its last values on all branches, at most 20, oldest first.'),
      }),
    ),
    ...pageOutput,
  }),
  problems: ['repository_not_found', 'cursor_invalid'],
  examples: [
    {
      title: 'None yet',
      input: { repository: 'acme/new' },
      output: { project_id: 'prj_01', benchmarks: [], next_cursor: null },
    },
  ],
  link: ({ project_id }) => `/projects/${project_id}/benchmarks`,
  markdown: ({ benchmarks, next_cursor }) =>
    table(
      [
        'Benchmark',
        'Id',
        { title: 'Last value', right: true },
        'Last run',
        { title: 'Runs', right: true },
        { title: 'Noise', right: true },
        { title: 'Open alerts', right: true },
      ],
      benchmarks.map((row) => [
        row.uri,
        row.id,
        formatQuantity(row.last_value, row.unit),
        row.last_run_id,
        row.run_count,
        row.noise_percent === null ? null : `${row.noise_percent.toFixed(1)} %`,
        row.open_alert_count,
      ]),
      'No benchmarks that fit.',
    ) + moreLine(next_cursor),
})
