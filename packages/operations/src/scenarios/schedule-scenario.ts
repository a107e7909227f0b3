import { newId, operations, Problem, type InputOf } from '@flamegate/contract'
import { nextFirings, schedule as scheduleSchema, type Schedule } from '@flamegate/loadtest'
import { soundScenario } from '../bench-runs/start-run.ts'
import { implement } from '../implement.ts'
import { getScenario } from './reaching.ts'
import { scheduleOnWire } from './schedule-on-wire.ts'

export const scheduleScenario = implement(operations.scheduleScenario)(async (input, context) => {
  const { caller, deps } = context
  const object = await getScenario(context, input.scenario_id)
  const document = readSchedule(input)
  const now = new Date()
  const [nextRunAt] = nextFirings(document, now, 1)
  if (nextRunAt === undefined) throw invalid('run_at', 'That time has passed; choose a later one.')
  const scenario = await soundScenario(context, object)
  const schedule = await deps.stores.schedules.create(caller, {
    id: newId('schedule'),
    workspaceId: object.workspaceId,
    projectId: object.projectId,
    scenarioId: object.id,
    name: input.name ?? scenario.name,
    document,
    agentsMax: input.agents_max,
    nextRunAt,
  })
  if (schedule === undefined)
    throw new Problem('conflict', 'This project has as many schedules as it may have. Delete one first.', {
      hint: [operations.listScheduledJobs, 'shows them'],
    })
  context.concerns(schedule.workspaceId, schedule.id)
  return { schedule: scheduleOnWire(schedule, now) }
})

const fields = { at: 'run_at', expression: 'cron', time_zone: 'time_zone' } as const

/** @throws Problem `invalid_input` that names the field */
function readSchedule({
  run_at: runAt,
  cron,
  time_zone,
  when_overdue,
  overlap,
}: InputOf<typeof operations.scheduleScenario>): Schedule {
  if ((runAt === undefined) === (cron === undefined))
    throw invalid(runAt === undefined ? 'cron' : 'run_at', 'Give either run_at or cron.')
  const read = scheduleSchema.safeParse(
    cron === undefined
      ? { type: 'once', at: runAt, when_overdue, overlap }
      : { type: 'cron', expression: cron, time_zone, when_overdue, overlap },
  )
  if (read.success) return read.data
  const [issue] = read.error.issues
  const field = Object.entries(fields).find(([name]) => name === issue?.path[0])?.[1] ?? 'cron'
  throw invalid(field, issue?.message ?? 'It cannot be read.')
}

function invalid(field: string, message: string): Problem {
  return new Problem('invalid_input', `The schedule is not valid: look at ${field}.`, {
    errors: [{ field, message }],
  })
}
