import { z } from 'zod'
import { benchShardId } from '../fields.ts'
import { defineOperation } from '../operation.ts'

export const addRequestLog = defineOperation({
  id: 'add_request_log',
  title: 'Add to the log of requests',
  description:
    'A piece of the log that an agent keeps of every request of a shard, where the scenario asks for result files.',
  toolset: 'scenarios',
  effect: 'write',
  scopes: ['agent'],
  http: { method: 'POST', path: '/v1/bench-shards/{shard_id}/request-log' },
  mcp: false,
  idempotent: true,
  input: z.strictObject({
    shard_id: benchShardId,
    sequence: z
      .number()
      .int()
      .min(0)
      .max(1_000_000)
      .describe('Rises by one; a piece that comes twice is kept once.'),
    content: z.base64().max(900_000).describe('Rows in their binary form, gzip.'),
    rows_lost: z
      .number()
      .int()
      .min(0)
      .max(1e12)
      .default(0)
      .describe('For which the agent had no room since the piece before.'),
  }),
  output: z.object({
    project_id: z.string(),
    bench_result_id: z.string(),
    outcome: z
      .enum(['stored', 'full', 'gone'])
      .describe('full: the workspace has no more room for result files; gone: the run has ended.'),
  }),
  problems: ['bench_shard_not_found', 'insufficient_role', 'invalid_input'],
  examples: [
    {
      title: 'The first piece',
      input: { shard_id: 'shd_01', sequence: 0, content: 'H4sIAAAAAAAAAwMAAAAAAAAAAAA=' },
      output: { project_id: 'prj_01', bench_result_id: 'bnr_01', outcome: 'stored' },
    },
  ],
  link: ({ project_id, bench_result_id }) => `/projects/${project_id}/bench-results/${bench_result_id}`,
  markdown: ({ outcome }) => `The piece: ${outcome}.`,
})
