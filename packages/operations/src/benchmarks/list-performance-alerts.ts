import { operations } from '@flamegate/contract'
import { pageOf } from '../cursor.ts'
import { implement } from '../implement.ts'
import { getProject } from '../targets.ts'
import { alertOnWire, alertsOffOnWire } from './watching-on-wire.ts'

export const listPerformanceAlerts = implement(operations.listPerformanceAlerts)(async (input, context) => {
  const project = await getProject(context, input.project_id)
  const filter = {
    ...(input.state === 'all' ? {} : { state: input.state }),
    ...(input.branch === undefined ? {} : { branch: input.branch }),
    ...(input.benchmark_id === undefined ? {} : { benchmarkId: input.benchmark_id }),
    ...(input.run_id === undefined ? {} : { runId: input.run_id }),
  }
  const { rows, nextCursor } = await pageOf('alerts', input, { project: project.id, ...filter }, (page) =>
    context.deps.stores.alerts.list(context.caller, project.id, page, filter),
  )
  return {
    project_id: project.id,
    alerts_off: alertsOffOnWire(project),
    alerts: rows.map(alertOnWire),
    next_cursor: nextCursor,
  }
})
