import { allows, operations, Problem } from '@flamegate/contract'
import { nextFirings } from '@flamegate/loadtest'
import { implement, type CallContext } from '../implement.ts'
import type { ScheduleChange, StoredSchedule } from '../ports/index.ts'
import { reach } from '../targets.ts'
import { scheduleOnWire } from './schedule-on-wire.ts'

export const updateScheduledJob = implement(operations.updateScheduledJob)(async (input, context) => {
  const { caller, deps, principal } = context
  const { schedules } = deps.stores
  const found = await getSchedule(context, input.schedule_id)
  const now = new Date()
  if (input.action === 'delete') {
    await schedules.remove(caller, found.id)
    return { schedule: scheduleOnWire({ ...found, isEnabled: false }, now), deleted: true }
  }
  if (input.action === 'enable' && !allows(principal.scopes, ['run']))
    throw new Problem('insufficient_scope', 'To turn a schedule on, the credential needs the scope run.')
  const changed = await schedules.change(caller, found.id, (schedule) =>
    input.action === 'enable' ? enabled(schedule, now) : disabled,
  )
  return { schedule: scheduleOnWire(changed ?? found, now), deleted: false }
})

const disabled: ScheduleChange = { isEnabled: false, nextRunAt: null, waitingSince: null }

/** What was to be while it was off is not made up for. */
function enabled({ isEnabled, document }: StoredSchedule, now: Date): ScheduleChange {
  if (isEnabled) return {}
  const [nextRunAt] = nextFirings(document, now, 1)
  if (nextRunAt === undefined) {
    throw new Problem('invalid_input', 'The time of this schedule has passed: make a new one.', {
      errors: [{ field: 'action', message: 'It would never run.' }],
      hint: [operations.scheduleScenario, 'makes one'],
    })
  }
  return { isEnabled: true, nextRunAt }
}

async function getSchedule(context: CallContext, id: string): Promise<StoredSchedule> {
  const schedule = await context.deps.stores.schedules.find(context.caller, id)
  if (schedule === undefined) {
    throw new Problem('schedule_not_found', 'No such schedule in your workspaces.', {
      hint: [operations.listScheduledJobs, 'shows the ones there are'],
    })
  }
  await reach(context, schedule.workspaceId, schedule.id)
  return schedule
}
