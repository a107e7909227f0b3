import { z } from 'zod'
import { scenarioId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import {
  documentPatchFields,
  documentPatchProblems,
  documentPatchText,
} from '../virtual-users/document-patch.ts'
import {
  exampleScenario,
  exampleScenarioChange,
  scenarioChangeLines,
  scenarioChangeShape,
  scenarioLink,
  scenarioShape,
} from './scenario-shapes.ts'

export const patchScenario = defineOperation({
  id: 'patch_scenario',
  title: 'Change a scenario',
  description: 'Change a scenario by RFC 6902, or go back to a version; all are kept.',
  toolset: 'scenarios',
  effect: 'write',
  scopes: ['write'],
  http: { method: 'PATCH', path: '/v1/scenarios/{scenario_id}' },
  idempotent: false,
  input: z.strictObject({
    scenario_id: scenarioId,
    ...documentPatchFields,
  }),
  output: z.object({
    scenario: scenarioShape,
    changes: z.array(scenarioChangeShape).describe('The first 50.'),
    change_count: z.number().int(),
    dry_run: z.boolean(),
  }),
  problems: ['scenario_not_found', ...documentPatchProblems],
  examples: [
    {
      title: 'More users, and a threshold',
      input: {
        scenario_id: 'scn_01',
        patch: [
          { op: 'replace', path: '/profiles/0/load/users', value: 50 },
          { op: 'add', path: '/thresholds/-', value: 'error share < 1 %' },
        ],
        if_version: 1,
      },
      output: {
        scenario: exampleScenario,
        changes: [exampleScenarioChange],
        change_count: 1,
        dry_run: false,
      },
    },
  ],
  version: ({ scenario }) => scenario.version,
  link: ({ scenario }) => scenarioLink(scenario),
  markdown: ({ scenario, ...changed }) =>
    documentPatchText(scenario, changed, scenarioChangeLines(changed.changes)),
})
