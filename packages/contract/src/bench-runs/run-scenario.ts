import { z } from 'zod'
import { scenarioId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import { taskFields } from '../upload-shapes.ts'
import { benchResultLink, benchResultShape, exampleBenchResult } from './bench-run-shapes.ts'

export const runScenario = defineOperation({
  id: 'run_scenario',
  title: 'Run a scenario',
  description:
    'Starts the load of a scenario on its agents. preflight_scenario says whether it can. Poll get_bench_result.',
  toolset: 'scenarios',
  effect: 'run',
  scopes: ['run'],
  http: { method: 'POST', path: '/v1/scenarios/{scenario_id}/runs', status: 202 },
  input: z.strictObject({
    scenario_id: scenarioId,
    name: z.string().min(1).max(80).optional().describe('Of the run; else that of the scenario.'),
    agents_max: z.number().int().min(1).max(100).default(10).describe('Agents of each group, at most.'),
    agents: z
      .number()
      .int()
      .min(1)
      .max(100)
      .optional()
      .describe('Of each group, as many, whether they are there yet or not; else the idle ones.'),
    result_files: z
      .array(z.enum(['jtl', 'parquet', 'page_traces']))
      .max(3)
      .optional()
      .describe('Else as the scenario says.'),
    wait_seconds: z.number().int().min(10).max(3600).default(60).describe('For agents to get ready.'),
  }),
  output: z.object({ bench_result: benchResultShape, ...taskFields }),
  problems: ['plan_limit_reached', 'scenario_not_found', 'insufficient_role', 'invalid_input', 'conflict'],
  examples: [
    {
      title: 'A run',
      input: { scenario_id: 'scn_01' },
      output: {
        bench_result: {
          ...exampleBenchResult,
          state: 'PENDING',
          message: 'Waiting for agents.',
          progress: 0,
          started_at: null,
        },
        task_id: 'tsk_01',
        next_poll_seconds: 3,
      },
    },
  ],
  link: ({ bench_result }) => benchResultLink(bench_result),
  markdown: ({ bench_result, next_poll_seconds }) =>
    `Run ${bench_result.id}: **${bench_result.state}**. Ask get_bench_result in ${next_poll_seconds} s.`,
})
