import { z } from 'zod'
import { scenarioId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import { exampleScenario, scenarioLink, scenarioShape } from './scenario-shapes.ts'

export const duplicateScenario = defineOperation({
  id: 'duplicate_scenario',
  title: 'Duplicate a scenario',
  description: 'The same scenario again, in the same project.',
  toolset: 'scenarios',
  effect: 'write',
  scopes: ['write'],
  http: { method: 'POST', path: '/v1/scenarios/{scenario_id}/duplicate', status: 201 },
  mcp: false,
  input: z.strictObject({
    scenario_id: scenarioId,
    name: z.string().min(1).max(80).optional().describe('Its name; else that of the other with a number.'),
  }),
  output: z.object({ scenario: scenarioShape }),
  problems: ['scenario_not_found', 'conflict', 'insufficient_role'],
  examples: [
    {
      title: 'Again',
      input: { scenario_id: 'scn_01' },
      output: { scenario: { ...exampleScenario, id: 'scn_02', name: 'Checkout (2)', version: 1 } },
    },
  ],
  link: ({ scenario }) => scenarioLink(scenario),
  markdown: ({ scenario: { name, id } }) => `**${name}** (${id}) is there.`,
})
