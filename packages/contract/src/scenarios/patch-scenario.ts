import { z } from 'zod'
import { scenarioId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import { ifVersion } from '../virtual-users/design-shapes.ts'
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
    patch: z.array(z.record(z.string(), z.unknown())).max(1000).default([]).describe('Operations.'),
    restore_version: z.int32().min(1).optional().describe('Go back to it first.'),
    label: z.string().min(1).max(80).optional().describe('Names the new version.'),
    dry_run: z.boolean().default(false).describe('Only tell what would change.'),
    if_version: ifVersion,
  }),
  output: z.object({
    scenario: scenarioShape,
    changes: z.array(scenarioChangeShape).describe('The first 50.'),
    change_count: z.number().int(),
    dry_run: z.boolean(),
  }),
  problems: [
    'scenario_not_found',
    'document_not_found',
    'invalid_input',
    'conflict',
    'version_mismatch',
    'insufficient_role',
  ],
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
  markdown: ({ scenario, changes, change_count, dry_run }) =>
    [
      dry_run
        ? `Nothing was saved. ${change_count} changes there would be:`
        : `**${scenario.name}** (${scenario.id}) now has version ${scenario.version}, with ${change_count} changes:`,
      scenarioChangeLines(changes),
    ].join('\n\n'),
})
