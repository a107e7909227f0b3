import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getProject } from '../targets.ts'
import { scheduleOnWire } from './schedule-on-wire.ts'

export const listScheduledJobs = implement(operations.listScheduledJobs)(async (input, context) => {
  const project = await getProject(context, input.project_id)
  const schedules = await context.deps.stores.schedules.list(context.caller, {
    projectId: project.id,
    scenarioId: input.scenario_id,
  })
  const now = new Date()
  return { project_id: project.id, schedules: schedules.map((schedule) => scheduleOnWire(schedule, now)) }
})
