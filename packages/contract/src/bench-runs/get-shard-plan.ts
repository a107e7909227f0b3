import { z } from 'zod'
import { benchShardId } from '../fields.ts'
import { defineOperation } from '../operation.ts'

const document = z.record(z.string(), z.unknown())

export const getShardPlan = defineOperation({
  id: 'get_shard_plan',
  title: 'Get the plan of a shard',
  description:
    'All that an agent needs to make its part of the load: the scenario, virtual users, servers, variables with secrets, files, and where connections may go.',
  toolset: 'scenarios',
  effect: 'read',
  scopes: ['agent'],
  role: 'member',
  http: { method: 'GET', path: '/v1/bench-shards/{shard_id}/plan' },
  mcp: false,
  input: z.strictObject({ shard_id: benchShardId }),
  output: z.object({
    project_id: z.string(),
    bench_result_id: z.string(),
    agent_group: z.string(),
    slot: z.number().int(),
    seed: z.number().int().describe('The same for all agents of a run.'),
    scenario: document,
    virtual_users: z.array(z.object({ id: z.string(), document })),
    servers: z.array(z.object({ id: z.string(), document })),
    variables: z.array(document),
    secrets: z.record(z.string(), z.string()).describe('Values of secret variables, by name.'),
    actions: z.array(
      z.object({
        profile: z.number().int(),
        action_id: z.string(),
        type: z.string(),
        name: z.string(),
        path: z.array(z.string()),
      }),
    ),
    files: z.array(z.object({ path: z.string(), url: z.string() })),
    hosts: z.array(z.string()).describe('Verified targets of the project.'),
    allowed_targets: z.array(z.string()).describe('What the installation allows beside them.'),
  }),
  problems: ['bench_shard_not_found', 'insufficient_role'],
  examples: [
    {
      title: 'A plan',
      input: { shard_id: 'shd_01' },
      output: {
        project_id: 'prj_01',
        bench_result_id: 'bnr_01',
        agent_group: 'default',
        slot: 0,
        seed: 7,
        scenario: { name: 'Checkout' },
        virtual_users: [],
        servers: [],
        variables: [],
        secrets: {},
        actions: [],
        files: [],
        hosts: ['shop.example.com'],
        allowed_targets: [],
      },
    },
  ],
  link: ({ project_id, bench_result_id }) => `/projects/${project_id}/bench-results/${bench_result_id}`,
  markdown: ({ bench_result_id, slot }) => `Slot ${slot} of ${bench_result_id}.`,
})
