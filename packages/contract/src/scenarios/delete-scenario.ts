import { z } from 'zod'
import { scenarioId } from '../fields.ts'
import { defineOperation } from '../operation.ts'

export const deleteScenario = defineOperation({
  id: 'delete_scenario',
  title: 'Delete a scenario',
  description: 'Remove a scenario; people can bring it back.',
  toolset: 'scenarios',
  effect: 'destroy',
  scopes: ['write'],
  http: { method: 'DELETE', path: '/v1/scenarios/{scenario_id}' },
  input: z.strictObject({ scenario_id: scenarioId }),
  output: z.object({ scenario_id: z.string(), project_id: z.string(), deleted: z.literal(true) }),
  problems: ['scenario_not_found', 'insufficient_role'],
  examples: [
    {
      title: 'Delete',
      input: { scenario_id: 'scn_01' },
      output: { scenario_id: 'scn_01', project_id: 'prj_01', deleted: true },
    },
  ],
  link: ({ project_id }) => `/projects/${project_id}/scenarios`,
  markdown: ({ scenario_id }) => `Scenario ${scenario_id} is deleted.`,
})
