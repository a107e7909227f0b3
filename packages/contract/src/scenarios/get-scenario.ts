import { z } from 'zod'
import { scenarioId } from '../fields.ts'
import { facts } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import { exampleScenario, scenarioLink, scenarioShape } from './scenario-shapes.ts'

export const getScenario = defineOperation({
  id: 'get_scenario',
  title: 'Get a scenario',
  description: 'User profiles, loads and thresholds, as JSON to patch.',
  toolset: 'scenarios',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/scenarios/{scenario_id}' },
  input: z.strictObject({ scenario_id: scenarioId }),
  output: z.object({
    scenario: scenarioShape,
    document: z.record(z.string(), z.unknown()).describe('As scenario.json says.'),
  }),
  problems: ['scenario_not_found'],
  examples: [
    {
      title: 'One',
      input: { scenario_id: 'scn_01' },
      output: {
        scenario: exampleScenario,
        document: { schema_version: 1, name: 'Checkout', profiles: [], thresholds: [] },
      },
    },
  ],
  version: ({ scenario }) => scenario.version,
  link: ({ scenario }) => scenarioLink(scenario),
  markdown: ({ scenario, document }) =>
    [
      `**${scenario.name}** (${scenario.id}), version ${scenario.version}`,
      facts({
        Description: scenario.description,
        Loads: scenario.loads.join('; '),
        Thresholds: scenario.thresholds.join('; '),
      }),
      `\`\`\`json\n${JSON.stringify(document)}\n\`\`\``,
    ]
      .filter((part) => part !== '')
      .join('\n\n'),
})
