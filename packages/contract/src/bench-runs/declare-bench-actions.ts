import { z } from 'zod'
import { benchShardId } from '../fields.ts'
import { defineOperation } from '../operation.ts'

/** Longer names are cut by whoever declares them. */
const actionName = z.string().max(300)

export const declareBenchActions = defineOperation({
  id: 'declare_bench_actions',
  title: 'Declare actions of a bench run',
  description:
    'What an agent found that a script of k6 or JMeter does, before it reports numbers of it. Answers what to call each.',
  toolset: 'scenarios',
  effect: 'write',
  scopes: ['agent'],
  http: { method: 'PUT', path: '/v1/bench-shards/{shard_id}/actions' },
  mcp: false,
  idempotent: true,
  input: z.strictObject({
    shard_id: benchShardId,
    actions: z
      .array(
        z.strictObject({
          profile: z.number().int().min(0).max(1000).describe('Its place in the scenario.'),
          type: z.enum(['http_request', 'container']),
          name: actionName,
          path: z.array(actionName).max(20).describe('Names of the containers that it is in.'),
        }),
      )
      .min(1)
      .max(500)
      .describe('Those that are known already are not added again.'),
  }),
  output: z.object({
    project_id: z.string(),
    bench_result_id: z.string(),
    places: z
      .array(z.number().int())
      .describe(
        'Of each, among the actions of the run. Beyond 2,000 of a run, others have one place together.',
      ),
  }),
  problems: ['bench_shard_not_found', 'insufficient_role', 'invalid_input'],
  examples: [
    {
      title: 'A request in a group',
      input: {
        shard_id: 'shd_01',
        actions: [{ profile: 0, type: 'http_request', name: 'GET /cart', path: ['checkout'] }],
      },
      output: { project_id: 'prj_01', bench_result_id: 'bnr_01', places: [0] },
    },
  ],
  link: ({ project_id, bench_result_id }) => `/projects/${project_id}/bench-results/${bench_result_id}`,
  markdown: ({ places }) => `${places.length} actions have places.`,
})
