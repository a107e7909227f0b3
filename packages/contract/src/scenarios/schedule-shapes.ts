import { z } from 'zod'
import { timestamp } from '../fields.ts'
import { cell } from '../markdown.ts'

/** What became of a moment at which a schedule was to run, or of several in a row. */
const firingShape = z.object({
  due_at: timestamp.describe('When it was to be; of several in a row the first.'),
  at: timestamp.describe('When this was decided.'),
  outcome: z
    .enum(['STARTING', 'STARTED', 'SKIPPED', 'MISSED', 'FAILED'])
    .describe('SKIPPED: the run before still ran; MISSED: nothing was there to start it.'),
  message: z.string().describe('Why.'),
  count: z.number().int().describe('How many in a row; more than a thousand are not counted.'),
  bench_result_id: z.string().nullable(),
})

export const scheduleShape = z.object({
  id: z.string(),
  project_id: z.string(),
  scenario_id: z.string(),
  name: z.string().describe('Of the runs, too.'),
  run_at: timestamp.nullable().describe('Once; null: by cron.'),
  cron: z.string().nullable(),
  time_zone: z.string(),
  when_overdue: z.enum(['skip', 'run']),
  overlap: z.enum(['skip', 'wait']),
  agents_max: z.number().int(),
  is_enabled: z.boolean(),
  next_runs: z.array(timestamp).describe('The next five.'),
  waiting_since: timestamp.nullable().describe('One that waits for the run before.'),
  firings: z.array(firingShape).describe('The last ones, newest first.'),
  created_by: z.string().describe('Id of the user in whose name it runs.'),
  created_at: timestamp,
})
type ScheduleShape = z.output<typeof scheduleShape>

export const exampleSchedule: ScheduleShape = {
  id: 'sch_01',
  project_id: 'prj_01',
  scenario_id: 'scn_01',
  name: 'Checkout, every night',
  run_at: null,
  cron: '0 3 * * 1-5',
  time_zone: 'Europe/Berlin',
  when_overdue: 'skip',
  overlap: 'skip',
  agents_max: 10,
  is_enabled: true,
  next_runs: [
    '2026-11-23T02:00:00.000Z',
    '2026-11-24T02:00:00.000Z',
    '2026-11-25T02:00:00.000Z',
    '2026-11-26T02:00:00.000Z',
    '2026-11-27T02:00:00.000Z',
  ],
  waiting_since: null,
  firings: [],
  created_by: 'usr_01',
  created_at: '2026-11-22T10:00:00.000Z',
}

/** When it runs, in words. */
export function scheduleTimes({ run_at: runAt, cron, time_zone: zone }: ScheduleShape): string {
  return runAt === null ? `${cron} (${zone})` : `once, at ${runAt}`
}

/** A few lines about one, with what became of its last firings. */
export function scheduleLines(schedule: ScheduleShape): string {
  const { id, name, is_enabled: isEnabled, next_runs: next, firings } = schedule
  const state = isEnabled ? `next: ${next.join(', ') || 'never'}` : 'off'
  return [
    `- **${cell(name)}** (${id}): ${scheduleTimes(schedule)}; ${state}`,
    ...firings.map(
      ({ due_at: dueAt, outcome, message, count, bench_result_id: run }) =>
        `  - ${dueAt} ${outcome}${count > 1 ? ` (${count} in a row)` : ''} ${run ?? ''} ${cell(message)}`,
    ),
  ].join('\n')
}
