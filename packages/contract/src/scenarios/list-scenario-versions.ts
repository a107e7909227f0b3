import { z } from 'zod'
import { scenarioId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import { versionsAsked, versionsText, versionsTold } from '../versions.ts'
import { exampleScenarioChange, scenarioChangeLines, scenarioChangeShape } from './scenario-shapes.ts'

export const listScenarioVersions = defineOperation({
  id: 'list_scenario_versions',
  title: 'List versions of a scenario',
  description: 'Every version, newest first; how two differ. patch_scenario goes back to one.',
  toolset: 'scenarios',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/scenarios/{scenario_id}/versions' },
  mcp: false,
  input: z.strictObject({
    scenario_id: scenarioId,
    ...versionsAsked,
  }),
  output: z.object({
    scenario_id: z.string(),
    ...versionsTold(z.array(scenarioChangeShape)),
  }),
  problems: ['scenario_not_found', 'document_not_found'],
  examples: [
    {
      title: 'What the last change was',
      input: { scenario_id: 'scn_01', compare: '1..2', limit: 1 },
      output: {
        scenario_id: 'scn_01',
        versions: [
          {
            version: 2,
            label: null,
            change: 'replace /profiles/0/load/users',
            author_email: 'ada@example.com',
            author_client: 'Claude',
            created_at: '2026-11-20T10:05:00.000Z',
          },
        ],
        next_before: 2,
        changes: [exampleScenarioChange],
        change_count: 1,
      },
    },
  ],
  link: ({ scenario_id }) => `/scenarios/${scenario_id}/versions`,
  markdown: (told) => versionsText(told, scenarioChangeLines),
})
