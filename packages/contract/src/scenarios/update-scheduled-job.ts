import { z } from 'zod'
import { scheduleId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import { exampleSchedule, scheduleLines, scheduleShape } from './schedule-shapes.ts'

export const updateScheduledJob = defineOperation({
  id: 'update_scheduled_job',
  title: 'Switch a schedule',
  description: 'Turn a schedule on or off, or delete it. Runs that it started go on.',
  toolset: 'scenarios',
  effect: 'destroy',
  scopes: ['write', 'run'],
  http: { method: 'PATCH', path: '/v1/schedules/{schedule_id}' },
  input: z.strictObject({
    schedule_id: scheduleId,
    action: z.enum(['enable', 'disable', 'delete']).describe('What to do; enable needs the scope run.'),
  }),
  output: z.object({ schedule: scheduleShape, deleted: z.boolean() }),
  problems: ['schedule_not_found', 'insufficient_role', 'insufficient_scope', 'invalid_input'],
  examples: [
    {
      title: 'Off for now',
      input: { schedule_id: 'sch_01', action: 'disable' },
      output: { schedule: { ...exampleSchedule, is_enabled: false, next_runs: [] }, deleted: false },
    },
  ],
  link: ({ schedule }) => `/projects/${schedule.project_id}/schedules`,
  markdown: ({ schedule, deleted }) => (deleted ? `${schedule.id} is deleted.` : scheduleLines(schedule)),
})
