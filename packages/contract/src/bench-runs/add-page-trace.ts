import { z } from 'zod'
import { benchShardId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import { exampleUpload, presignedShape } from '../upload-shapes.ts'
import { pageTraceLimits } from './page-trace-limits.ts'

export const addPageTrace = defineOperation({
  id: 'add_page_trace',
  title: 'Add a trace of a page action',
  description:
    'A page action that an agent recorded, where the scenario asks for it: answers an upload URL. Call it again when it was sent.',
  toolset: 'scenarios',
  effect: 'write',
  scopes: ['agent'],
  http: { method: 'POST', path: '/v1/bench-shards/{shard_id}/page-traces' },
  mcp: false,
  idempotent: true,
  input: z.strictObject({
    shard_id: benchShardId,
    sequence: z
      .number()
      .int()
      .min(0)
      .max(pageTraceLimits.perAgent - 1)
      .describe('Rises by one with each trace of the shard.'),
    action: z.int32().min(0).describe("Its place in the shard's plan."),
    has_failed: z.boolean().describe('Whether the action failed.'),
    size_bytes: z.number().int().min(1).max(pageTraceLimits.bytes).describe('Exact; of the ZIP.'),
  }),
  output: z.object({
    project_id: z.string(),
    bench_result_id: z.string(),
    outcome: z
      .enum(['wanted', 'stored', 'full', 'gone'])
      .describe(
        'wanted: send it; full: the workspace has no more room for result files; gone: the run has ended.',
      ),
    upload: presignedShape.nullable().describe('Where it is wanted.'),
  }),
  problems: ['bench_shard_not_found', 'insufficient_role', 'invalid_input'],
  examples: [
    {
      title: 'One that failed',
      input: { shard_id: 'shd_01', sequence: 0, action: 2, has_failed: true, size_bytes: 402_118 },
      output: { project_id: 'prj_01', bench_result_id: 'bnr_01', outcome: 'wanted', upload: exampleUpload },
    },
  ],
  link: ({ project_id, bench_result_id }) => `/projects/${project_id}/bench-results/${bench_result_id}`,
  markdown: ({ outcome }) => `The trace: ${outcome}.`,
})
