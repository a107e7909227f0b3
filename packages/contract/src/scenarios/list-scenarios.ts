import { z } from 'zod'
import { benchResultShape } from '../bench-runs/bench-run-shapes.ts'
import { projectId } from '../fields.ts'
import { moreLine, table } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import { pageInput, pageOutput } from '../page.ts'
import { exampleScenario, scenarioShape } from './scenario-shapes.ts'

const listedScenarioShape = scenarioShape.extend({
  last_run: benchResultShape
    .pick({ id: true, state: true, is_degraded: true, created_at: true })
    .nullable()
    .describe('null: it was never run.'),
})

export const listScenarios = defineOperation({
  id: 'list_scenarios',
  title: 'List scenarios',
  description: 'Scenarios of a project with their last runs, newest first.',
  toolset: 'scenarios',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/projects/{project_id}/scenarios' },
  input: z.strictObject({
    project_id: projectId,
    search: z.string().min(1).max(100).optional().describe('Text in the name.'),
    tag: z.string().min(1).max(60).optional().describe('Tagged so.'),
    deleted: z.boolean().default(false).describe('The deleted ones.'),
    ...pageInput,
  }),
  output: z.object({ project_id: z.string(), scenarios: z.array(listedScenarioShape), ...pageOutput }),
  problems: ['project_not_found', 'cursor_invalid'],
  examples: [
    {
      title: 'All',
      input: { project_id: 'prj_01' },
      output: {
        project_id: 'prj_01',
        scenarios: [
          {
            ...exampleScenario,
            last_run: {
              id: 'bnr_01',
              state: 'FINISHED',
              is_degraded: false,
              created_at: '2026-11-22T10:00:00.000Z',
            },
          },
        ],
        next_cursor: null,
      },
    },
  ],
  link: ({ project_id }) => `/projects/${project_id}/scenarios`,
  markdown: ({ scenarios, next_cursor }) =>
    table(
      [
        'Scenario',
        'Id',
        'Load',
        { title: 'Minutes', right: true },
        'Thresholds',
        'Tags',
        'Last run',
        'Version',
        'Changed',
      ],
      scenarios.map((scenario) => [
        scenario.name,
        scenario.id,
        scenario.loads.join('; '),
        Math.round(scenario.duration_ms / 6000) / 10,
        scenario.thresholds.join('; '),
        scenario.tags.join(', '),
        scenario.last_run === null
          ? 'never'
          : `${scenario.last_run.id} ${scenario.last_run.state} ${scenario.last_run.created_at}`,
        scenario.version,
        scenario.updated_at,
      ]),
      'No scenarios that fit. create_scenario makes one.',
    ) + moreLine(next_cursor),
})
