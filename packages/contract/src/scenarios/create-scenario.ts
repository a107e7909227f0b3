import { z } from 'zod'
import { projectId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import { exampleScenario, scenarioLink, scenarioShape } from './scenario-shapes.ts'

export const createScenario = defineOperation({
  id: 'create_scenario',
  title: 'Create a scenario',
  description:
    'Virtual users under a load. load is {type: ramp_up, users, ramp_up_ms, plateau_ms} or {type: constant_rate, rate_per_second, duration_ms}; the schema scenario.json has more. preflight_scenario tells whether it can run.',
  toolset: 'scenarios',
  effect: 'write',
  scopes: ['write'],
  http: { method: 'POST', path: '/v1/projects/{project_id}/scenarios', status: 201 },
  input: z.strictObject({
    project_id: projectId,
    name: z.string().min(1).max(80).describe('Its name.'),
    virtual_user_ids: z.array(z.string().max(64)).max(100).default([]).describe('Each gets this load.'),
    load: z.record(z.string(), z.unknown()).optional().describe('Of each of them.'),
    thresholds: z
      .array(z.string().max(400))
      .max(200)
      .default([])
      .describe('p95 duration of container "pay" < 400 ms; error share < 1 %, abort.'),
    document: z.record(z.string(), z.unknown()).optional().describe('Any other field of scenario.json.'),
  }),
  output: z.object({ scenario: scenarioShape }),
  problems: ['project_not_found', 'virtual_user_not_found', 'invalid_input', 'conflict', 'insufficient_role'],
  examples: [
    {
      title: '50 users for five minutes',
      input: {
        project_id: 'prj_01',
        name: 'Checkout',
        virtual_user_ids: ['vu_01'],
        load: { type: 'ramp_up', users: 50, ramp_up_ms: 30_000, plateau_ms: 270_000 },
        thresholds: ['p95 duration of container "checkout" < 400 ms'],
      },
      output: { scenario: { ...exampleScenario, version: 1 } },
    },
  ],
  version: ({ scenario }) => scenario.version,
  link: ({ scenario }) => scenarioLink(scenario),
  markdown: ({ scenario: { name, id, loads } }) => `**${name}** (${id}) is there: ${loads.join('; ')}`,
})
