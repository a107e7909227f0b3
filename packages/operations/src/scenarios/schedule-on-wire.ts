import type { operations, OutputOf } from '@flamegate/contract'
import { nextFirings } from '@flamegate/loadtest'
import type { StoredSchedule } from '../ports/index.ts'

const firingsTold = 5

export function scheduleOnWire(
  schedule: StoredSchedule,
  now: Date,
): OutputOf<typeof operations.scheduleScenario>['schedule'] {
  const { document } = schedule
  const next = schedule.isEnabled ? nextFirings(document, now) : []
  return {
    id: schedule.id,
    project_id: schedule.projectId,
    scenario_id: schedule.scenarioId,
    name: schedule.name,
    run_at: document.type === 'once' ? document.at : null,
    cron: document.type === 'cron' ? document.expression : null,
    time_zone: document.type === 'cron' ? document.time_zone : 'UTC',
    when_overdue: document.when_overdue,
    overlap: document.overlap,
    agents_max: schedule.agentsMax,
    is_enabled: schedule.isEnabled,
    next_runs: next.map((at) => at.toISOString()),
    waiting_since: schedule.waitingSince?.toISOString() ?? null,
    firings: schedule.firings.slice(0, firingsTold),
    created_by: schedule.createdBy,
    created_at: schedule.createdAt.toISOString(),
  }
}
