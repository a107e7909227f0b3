import { z } from 'zod'
import { benchResultId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import { benchResultLink, benchResultShape, exampleBenchResult } from './bench-run-shapes.ts'

export const stopBenchResult = defineOperation({
  id: 'stop_bench_result',
  title: 'Stop a load test',
  description: 'Ends a run within seconds; what it measured stays.',
  toolset: 'scenarios',
  effect: 'destroy',
  scopes: ['write', 'run'],
  http: { method: 'POST', path: '/v1/bench-results/{bench_result_id}/stop' },
  idempotent: true,
  input: z.strictObject({ bench_result_id: benchResultId }),
  output: z.object({ bench_result: benchResultShape }),
  problems: ['bench_result_not_found', 'insufficient_role'],
  examples: [
    {
      title: 'A run',
      input: { bench_result_id: 'bnr_01' },
      output: { bench_result: { ...exampleBenchResult, state: 'STOPPING', message: 'It was stopped.' } },
    },
  ],
  link: ({ bench_result }) => benchResultLink(bench_result),
  markdown: ({ bench_result }) => `${bench_result.id} is ${bench_result.state}.`,
})
