import { z } from 'zod'
import { workspaceId } from '../fields.ts'
import { defineOperation } from '../operation.ts'

export const stopAllBenchResults = defineOperation({
  id: 'stop_all_bench_results',
  title: 'Stop all load tests',
  description: 'Emergency stop: ends every run of a workspace within seconds; what they measured stays.',
  toolset: 'scenarios',
  effect: 'destroy',
  scopes: ['write', 'run'],
  http: { method: 'POST', path: '/v1/workspaces/{workspace_id}/bench-results/stop' },
  idempotent: true,
  mcp: false,
  input: z.strictObject({ workspace_id: workspaceId }),
  output: z.object({
    workspace_id: z.string(),
    bench_result_ids: z.array(z.string()).describe('Those that were told to stop.'),
  }),
  problems: ['workspace_not_found', 'insufficient_role'],
  examples: [
    {
      title: 'Two run',
      input: { workspace_id: 'ws_01' },
      output: { workspace_id: 'ws_01', bench_result_ids: ['bnr_01', 'bnr_02'] },
    },
  ],
  link: ({ workspace_id }) => `/workspaces/${workspace_id}/load-generators`,
  markdown: ({ bench_result_ids: ids }) =>
    ids.length === 0 ? 'No load test runs.' : `Told to stop: ${ids.join(', ')}.`,
})
