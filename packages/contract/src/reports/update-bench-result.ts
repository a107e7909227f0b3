import { z } from 'zod'
import { benchResultLink, benchResultShape, exampleBenchResult } from '../bench-runs/bench-run-shapes.ts'
import { benchResultId, tags } from '../fields.ts'
import { defineOperation } from '../operation.ts'

export const updateBenchResult = defineOperation({
  id: 'update_bench_result',
  title: 'Rename or tag a bench result',
  description: 'Name and tags of a run, and whether later runs of its scenario are compared with it.',
  toolset: 'reports',
  effect: 'write',
  scopes: ['write'],
  http: { method: 'PATCH', path: '/v1/bench-results/{bench_result_id}' },
  mcp: false,
  idempotent: true,
  input: z.strictObject({
    bench_result_id: benchResultId,
    name: z.string().min(1).max(80).optional().describe('A new name.'),
    tags: tags.optional(),
    is_baseline: z.boolean().optional().describe('True: in place of the one that its scenario has.'),
  }),
  output: z.object({ bench_result: benchResultShape }),
  problems: ['bench_result_not_found', 'invalid_input', 'insufficient_role'],
  examples: [
    {
      title: 'The one to compare with',
      input: { bench_result_id: 'bnr_01', is_baseline: true, tags: ['release-7'] },
      output: { bench_result: { ...exampleBenchResult, is_baseline: true, tags: ['release-7'] } },
    },
  ],
  link: ({ bench_result }) => benchResultLink(bench_result),
  markdown: ({ bench_result: { name, id, tags: words, is_baseline } }) =>
    `**${name}** (${id})${is_baseline ? ', the baseline of its scenario' : ''}, tags: ${words.join(', ') || 'none'}`,
})
