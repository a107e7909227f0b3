import { z } from 'zod'
import { loadGeneratorId } from '../fields.ts'
import { defineOperation } from '../operation.ts'

export const awaitShard = defineOperation({
  id: 'await_shard',
  title: 'Wait for a shard',
  description:
    'Gives the oldest shard that waits in the group to this agent, as soon as there is one, or null.',
  toolset: 'scenarios',
  effect: 'write',
  scopes: ['agent'],
  http: { method: 'POST', path: '/v1/load-generators/{load_generator_id}/leases' },
  mcp: false,
  input: z.strictObject({
    load_generator_id: loadGeneratorId,
    // Shorter than a process has for its end, so that no agent holds one up.
    wait_seconds: z.number().int().min(0).max(10).default(10).describe('How long to wait for one.'),
  }),
  output: z.object({
    workspace_id: z.string(),
    shard: z.object({ shard_id: z.string(), bench_result_id: z.string(), name: z.string() }).nullable(),
  }),
  problems: ['load_generator_not_found', 'insufficient_role'],
  examples: [
    {
      title: 'One waits',
      input: { load_generator_id: 'gen_01' },
      output: {
        workspace_id: 'ws_01',
        shard: { shard_id: 'shd_01', bench_result_id: 'bnr_01', name: 'Checkout, 50 users' },
      },
    },
  ],
  link: ({ workspace_id }) => `/workspaces/${workspace_id}/load-generators`,
  markdown: ({ shard }) => (shard === null ? 'Nothing to do.' : `Shard ${shard.shard_id} of ${shard.name}.`),
})
