import { z } from 'zod'
import { projectId, scenarioId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import { pageInput, pageOutput } from '../page.ts'
import { benchResultShape, exampleBenchResult } from './bench-run-shapes.ts'

export const listBenchResults = defineOperation({
  id: 'list_bench_results',
  title: 'List bench results',
  description: 'Load tests of a project, newest first.',
  toolset: 'scenarios',
  effect: 'read',
  scopes: ['read'],
  mcp: false,
  http: { method: 'GET', path: '/v1/projects/{project_id}/bench-results' },
  input: z.strictObject({
    project_id: projectId,
    scenario_id: scenarioId.optional(),
    ...pageInput,
  }),
  output: z.object({ project_id: z.string(), bench_results: z.array(benchResultShape), ...pageOutput }),
  problems: ['project_not_found', 'cursor_invalid'],
  examples: [
    {
      title: 'Of a project',
      input: { project_id: 'prj_01' },
      output: { project_id: 'prj_01', bench_results: [exampleBenchResult], next_cursor: null },
    },
  ],
  link: ({ project_id }) => `/projects/${project_id}/bench-results`,
  markdown: ({ bench_results }) =>
    bench_results
      .map(({ id, name, state, created_at }) => `- ${id} ${name}: ${state}, ${created_at}`)
      .join('\n'),
})
