import { z } from 'zod'
import { benchResultId } from '../fields.ts'
import { defineOperation } from '../operation.ts'

export const deleteBenchResult = defineOperation({
  id: 'delete_bench_result',
  title: 'Delete a bench result',
  description: 'Remove a run that has ended, with all that was measured. Reports of it say that it is gone.',
  toolset: 'reports',
  effect: 'destroy',
  scopes: ['write'],
  http: { method: 'DELETE', path: '/v1/bench-results/{bench_result_id}' },
  mcp: false,
  input: z.strictObject({ bench_result_id: benchResultId }),
  output: z.object({ bench_result_id: z.string(), project_id: z.string(), deleted: z.literal(true) }),
  problems: ['bench_result_not_found', 'in_use', 'insufficient_role'],
  examples: [
    {
      title: 'Delete',
      input: { bench_result_id: 'bnr_01' },
      output: { bench_result_id: 'bnr_01', project_id: 'prj_01', deleted: true },
    },
  ],
  link: ({ project_id }) => `/projects/${project_id}/bench-results`,
  markdown: ({ bench_result_id }) => `Bench result ${bench_result_id} is deleted.`,
})
