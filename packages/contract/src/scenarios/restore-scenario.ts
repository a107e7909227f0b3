import { z } from 'zod'
import { scenarioId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import { exampleScenario, scenarioLink, scenarioShape } from './scenario-shapes.ts'

export const restoreScenario = defineOperation({
  id: 'restore_scenario',
  title: 'Bring back a scenario',
  description: 'Undo the deletion of a scenario.',
  toolset: 'scenarios',
  effect: 'write',
  scopes: ['write'],
  http: { method: 'POST', path: '/v1/scenarios/{scenario_id}/restore' },
  mcp: false,
  idempotent: true,
  input: z.strictObject({ scenario_id: scenarioId }),
  output: z.object({ scenario: scenarioShape }),
  problems: ['scenario_not_found', 'conflict', 'insufficient_role'],
  examples: [
    { title: 'Bring back', input: { scenario_id: 'scn_01' }, output: { scenario: exampleScenario } },
  ],
  link: ({ scenario }) => scenarioLink(scenario),
  markdown: ({ scenario: { name, id } }) => `**${name}** (${id}) is there again.`,
})
