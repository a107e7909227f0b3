import { z } from 'zod'
import { projectId, scenarioId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import { exampleSchedule, scheduleLines, scheduleShape } from './schedule-shapes.ts'

export const listScheduledJobs = defineOperation({
  id: 'list_scheduled_jobs',
  title: 'List schedules',
  description: 'Schedules of a project: the next five times, and what became of the last ones.',
  toolset: 'scenarios',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/projects/{project_id}/schedules' },
  input: z.strictObject({ project_id: projectId, scenario_id: scenarioId.optional() }),
  output: z.object({ project_id: z.string(), schedules: z.array(scheduleShape) }),
  problems: ['project_not_found'],
  examples: [
    {
      title: 'Of a project',
      input: { project_id: 'prj_01' },
      output: {
        project_id: 'prj_01',
        schedules: [
          {
            ...exampleSchedule,
            firings: [
              {
                due_at: '2026-11-20T02:00:00.000Z',
                at: '2026-11-20T02:00:01.000Z',
                outcome: 'STARTED',
                message: '',
                count: 1,
                bench_result_id: 'bnr_01',
              },
            ],
          },
        ],
      },
    },
  ],
  link: ({ project_id }) => `/projects/${project_id}/schedules`,
  markdown: ({ schedules }) =>
    schedules.length === 0 ? 'Nothing is scheduled.' : schedules.map(scheduleLines).join('\n'),
})
