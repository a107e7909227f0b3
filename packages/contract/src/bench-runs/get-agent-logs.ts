import { z } from 'zod'
import { benchResultId } from '../fields.ts'
import { defineOperation } from '../operation.ts'

export const getAgentLogs = defineOperation({
  id: 'get_agent_logs',
  title: 'Get the logs of agents',
  description:
    'What the agents of a run said of their work so far. When it has ended, list_files has them as files.',
  toolset: 'scenarios',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/bench-results/{bench_result_id}/agent-logs' },
  mcp: false,
  input: z.strictObject({ bench_result_id: benchResultId }),
  output: z.object({
    project_id: z.string(),
    bench_result_id: z.string(),
    logs: z.array(
      z.object({
        slot: z.number().int(),
        lines: z.array(z.string()).describe('The last hundred, oldest first.'),
        line_count: z.number().int(),
      }),
    ),
  }),
  problems: ['bench_result_not_found'],
  examples: [
    {
      title: 'One agent',
      input: { bench_result_id: 'bnr_01' },
      output: {
        project_id: 'prj_01',
        bench_result_id: 'bnr_01',
        logs: [{ slot: 0, lines: ['2026-11-22T10:00:04.000Z begins, with 2 threads'], line_count: 1 }],
      },
    },
  ],
  link: ({ project_id, bench_result_id }) => `/projects/${project_id}/bench-results/${bench_result_id}`,
  markdown: ({ logs }) =>
    logs
      .map(({ slot, lines }) => `Agent ${slot}:\n\n${lines.map((line) => `    ${line}`).join('\n')}`)
      .join('\n\n'),
})
