import { z } from 'zod'
import { scenarioId, timestamp } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import { scenarioLink } from './scenario-shapes.ts'
import { exampleSchedule, scheduleLines, scheduleShape } from './schedule-shapes.ts'

export const scheduleScenario = defineOperation({
  id: 'schedule_scenario',
  title: 'Schedule a scenario',
  description:
    'Runs a scenario later in your name: once (run_at) or by cron, if it passes the preflight now.',
  toolset: 'scenarios',
  effect: 'run',
  scopes: ['run'],
  http: { method: 'POST', path: '/v1/scenarios/{scenario_id}/schedules', status: 201 },
  input: z.strictObject({
    scenario_id: scenarioId,
    name: z.string().min(1).max(80).optional().describe('Else that of the scenario.'),
    run_at: timestamp.optional(),
    cron: z.string().max(200).optional().describe('Five fields, as 0 3 * * 1-5.'),
    time_zone: z.string().max(64).default('UTC').describe('Of cron: an IANA name.'),
    when_overdue: z
      .enum(['skip', 'run'])
      .default('skip')
      .describe('Missed, as while we were down: tell only, or run late.'),
    overlap: z.enum(['skip', 'wait']).default('skip').describe('While the run before goes on.'),
    agents_max: z.number().int().min(1).max(100).default(10).describe('Agents of each group, at most.'),
  }),
  output: z.object({ schedule: scheduleShape }),
  problems: ['scenario_not_found', 'insufficient_role', 'invalid_input', 'conflict'],
  examples: [
    {
      title: 'Every weekday at three',
      input: {
        scenario_id: 'scn_01',
        name: 'Checkout, every night',
        cron: '0 3 * * 1-5',
        time_zone: 'Europe/Berlin',
      },
      output: { schedule: exampleSchedule },
    },
    {
      title: 'Once',
      input: { scenario_id: 'scn_01', name: 'Before the sale', run_at: '2026-11-27T22:00:00.000Z' },
      output: {
        schedule: {
          ...exampleSchedule,
          id: 'sch_02',
          name: 'Before the sale',
          run_at: '2026-11-27T22:00:00.000Z',
          cron: null,
          time_zone: 'UTC',
          next_runs: ['2026-11-27T22:00:00.000Z'],
        },
      },
    },
  ],
  link: ({ schedule }) => scenarioLink({ id: schedule.scenario_id }),
  markdown: ({ schedule }) => scheduleLines(schedule),
})
